package frame

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// openDialog is a dialog with its overlay.
type openDialog struct {
	dialog dialog.Dialog
	over   fyne.CanvasObject
}

// ShowDialog shows a dialog. Esc closes it.
func (w *Window) ShowDialog(shown dialog.Dialog) {
	overlays := w.Window.Canvas().Overlays()
	w.dialogs = slices.DeleteFunc(w.dialogs, func(open openDialog) bool { return !slices.Contains(overlays.List(), open.over) })
	shown.Show()
	w.dialogs = append(w.dialogs, openDialog{shown, overlays.Top()})
}

// Dismiss closes the topmost dialog if it is one of the window's own.
func (w *Window) Dismiss() {
	top := w.Window.Canvas().Overlays().Top()
	if i := slices.IndexFunc(w.dialogs, func(open openDialog) bool { return open.over == top }); i >= 0 {
		w.dialogs[i].dialog.Dismiss()
	}
}

// Say shows a message for a while.
func (w *Window) Say(text string) { w.Toast.Show(text, "", nil) }

// Fail shows an error. Enter and Esc close it.
func (w *Window) Fail(err error) {
	var broken *store.BrokenError
	if errors.As(err, &broken) { // the screen already shows the problem and its repair
		w.Say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	text := kit.NewParagraph(kit.ErrorSentence(err), kit.TextStyle{})
	shown := kit.NewQuestion(lang.L("Something went wrong"), 480, text, w.Window)
	closes := kit.NewButton(lang.L("Close"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{closes})
	w.ShowDialog(shown)
	w.Window.Canvas().Focus(closes)
}

// Ask asks before an action that affects others. Esc and Enter cancel it.
func (w *Window) Ask(title, text, yes string, do func()) {
	ask := kit.NewQuestion(title, 480, kit.NewParagraph(text, kit.TextStyle{}), w.Window)
	keep := kit.NewButton(lang.L("Cancel"), widget.HighImportance, ask.Hide)
	ask.SetButtons([]fyne.CanvasObject{kit.NewButton(yes, widget.MediumImportance, func() {
		ask.Hide()
		do()
	}), keep})
	w.ShowDialog(ask)
	w.Window.Canvas().Focus(keep)
}

// Copy puts text on the clipboard.
func (w *Window) Copy(text string) { w.app.Clipboard().SetContent(text) }

// NewSave returns a dialog in which the user chooses where to save a file.
func (w *Window) NewSave(name string, done func(file fyne.URIWriteCloser, err error)) *dialog.FileDialog {
	ask := dialog.NewFileSave(done, w.Window)
	ask.SetTitleText(lang.L("Save as"))
	ask.SetFileName(name)
	return ask
}

// SaveAs saves data to a file that the user chooses.
func (w *Window) SaveAs(name string, data []byte) {
	w.ShowDialog(w.NewSave(name, func(file fyne.URIWriteCloser, err error) {
		switch {
		case err != nil:
			w.Fail(err)
		case file != nil:
			w.tasks.Background(func() {
				_, err := file.Write(data)
				if err = errors.Join(err, file.Close()); err != nil {
					w.tasks.Do(func() { w.Fail(err) })
				}
			})
		}
	}))
}

// PickFile lets the user choose a file.
func (w *Window) PickFile(done func(path string)) {
	ask := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.Fail(err)
		case file != nil:
			path := file.URI().Path()
			_ = file.Close() // only the path is needed
			done(filepath.FromSlash(path))
		}
	}, w.Window)
	ask.SetTitleText(lang.L("Choose a file"))
	w.ShowDialog(ask)
}

// PickFolder lets the user choose a folder.
func (w *Window) PickFolder(done func(path string)) {
	ask := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			w.Fail(err)
		case folder != nil:
			done(filepath.FromSlash(folder.Path()))
		}
	}, w.Window)
	ask.SetTitleText(lang.L("Choose a folder"))
	w.ShowDialog(ask)
}

// OpenPath opens a file or folder in the user's program for it.
func (w *Window) OpenPath(path string) {
	if err := w.app.OpenURL(fileURL(path)); err != nil {
		w.Fail(err)
	}
}

// OpenFile opens a file in the user's program for it, or its folder if there is no file yet.
func (w *Window) OpenFile(path string) {
	task.Ask(w.tasks, func() (os.FileInfo, error) { return os.Stat(path) }, func(_ os.FileInfo, err error) {
		if errors.Is(err, os.ErrNotExist) {
			w.OpenFolder(path)
			return
		}
		w.OpenPath(path)
	})
}

// OpenFolder opens the folder of a file. It makes the folder first if there is none, as before a configuration is first saved.
func (w *Window) OpenFolder(path string) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		w.Fail(err)
		return
	}
	w.OpenPath(folder)
}

// OpenURL shows an address in the user's browser.
func (w *Window) OpenURL(address string) {
	parsed, err := url.Parse(address)
	if err == nil && (parsed.Scheme == "https" || parsed.Scheme == "http") {
		err = w.app.OpenURL(parsed)
	}
	if err != nil {
		w.Fail(err)
	}
}

// Visit shows a page in the user's browser.
func (w *Window) Visit(page *url.URL) error { return w.app.OpenURL(page) }

// fileURL returns the address of a file.
func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if path != "" && path[0] != '/' { // a Windows path begins with its drive
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}
