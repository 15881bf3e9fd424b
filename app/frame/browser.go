package frame

import (
	"errors"
	"net/url"

	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// OpenURL shows an address in the user's browser. If there is none, it says so and copies the address.
func (w *Window) OpenURL(address string) {
	page, err := url.Parse(address)
	if err != nil || page.Scheme != "https" && page.Scheme != "http" {
		return // none of ours is like that
	}
	w.Visit(page, func(err error) { w.copyUnopened(address, err) })
}

// OpenPath opens a file or folder in the user's program for it.
func (w *Window) OpenPath(path string) {
	w.Visit(fileURL(path), func(err error) { w.copyUnopened(path, err) })
}

// copyUnopened copies what could not be opened, and says so.
func (w *Window) copyUnopened(what string, err error) {
	if err != nil {
		w.Copy(what)
		w.Fail(errors.New(lang.L("No program could open this. It is copied: {{.What}}",
			map[string]any{"What": kit.Cut(what, 200)})))
	}
}

// Visit shows a page in the user's browser, and calls done when it is clear whether that worked.
func (w *Window) Visit(page *url.URL, done func(error)) {
	told := func(_ struct{}, err error) {
		if err != nil {
			err = errors.New(lang.L("No program could open this."))
		}
		done(err)
	}
	if _, real := w.app.Driver().(desktop.Driver); !real { // in tests, nothing must open
		told(struct{}{}, w.app.OpenURL(page))
		return
	}
	task.Ask(w.tasks, func() (struct{}, error) { return struct{}{}, openIn(w.app, page) }, told)
}
