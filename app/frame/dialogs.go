package frame

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// openDialog is a dialog with its overlay.
type openDialog struct {
	dialog dialog.Dialog
	over   fyne.CanvasObject
}

// ShowDialog shows a dialog, which Esc closes.
func (w *Window) ShowDialog(shown dialog.Dialog) {
	overlays := w.Window.Canvas().Overlays()
	w.dialogs = slices.DeleteFunc(w.dialogs, func(open openDialog) bool { return !slices.Contains(overlays.List(), open.over) })
	shown.Show()
	w.dialogs = append(w.dialogs, openDialog{shown, overlays.Top()})
}

// Dismiss closes the dialog that lies over the others, if it is one of the window's own.
func (w *Window) Dismiss() {
	top := w.Window.Canvas().Overlays().Top()
	if i := slices.IndexFunc(w.dialogs, func(open openDialog) bool { return open.over == top }); i >= 0 {
		w.dialogs[i].dialog.Dismiss()
	}
}

// Say tells something for a while.
func (w *Window) Say(text string) { w.Toast.Show(text, "", nil) }

// Fail tells what could not be done. Enter and Esc both take it away.
func (w *Window) Fail(err error) {
	var broken *store.BrokenError
	if errors.As(err, &broken) { // the screen shows the problem and its repair already
		w.Say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	text := kit.NewParagraph(kit.ErrorSentence(err), kit.TextStyle{})
	shown := kit.NewQuestion(lang.L("Something went wrong"), 480, text, w.Window)
	ok := kit.NewButton(lang.L("OK"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{ok})
	w.ShowDialog(shown)
	w.Window.Canvas().Focus(ok)
}

// Ask asks before something is done that ends what others do. Esc and Enter leave it.
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

// Copy puts a text on the clipboard.
func (w *Window) Copy(text string) { w.app.Clipboard().SetContent(text) }

// SaveAs lets the user choose where to save something, and saves it.
func (w *Window) SaveAs(name string, data []byte) {
	ask := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
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
	}, w.Window)
	ask.SetFileName(name)
	w.ShowDialog(ask)
}

// PickFile lets the user choose a file.
func (w *Window) PickFile(done func(path string)) {
	w.ShowDialog(dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.Fail(err)
		case file != nil:
			path := file.URI().Path()
			_ = file.Close() // only its path is wanted
			done(filepath.FromSlash(path))
		}
	}, w.Window))
}

// PickFolder lets the user choose a folder.
func (w *Window) PickFolder(done func(path string)) {
	w.ShowDialog(dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			w.Fail(err)
		case folder != nil:
			done(filepath.FromSlash(folder.Path()))
		}
	}, w.Window))
}

// OpenPath shows a file or folder in the program that the user has for it.
func (w *Window) OpenPath(path string) {
	if err := w.app.OpenURL(fileURL(path)); err != nil {
		w.Fail(err)
	}
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

// fileURL is the address of a file.
func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if path != "" && path[0] != '/' { // a Windows path begins with its drive
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}
