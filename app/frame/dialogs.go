package frame

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// openDialog is a dialog with its overlay.
type openDialog struct {
	dialog dialog.Dialog
	over   fyne.CanvasObject
}

// ShowDialog shows a dialog. Esc closes it.
func (w *Window) ShowDialog(shown dialog.Dialog) {
	overlays := w.Window.Canvas().Overlays()
	w.dialogs = slices.DeleteFunc(w.dialogs, func(open openDialog) bool {
		return !slices.Contains(overlays.List(), open.over)
	})
	shown.Show()
	w.dialogs = append(w.dialogs, openDialog{shown, overlays.Top()})
}

// SpeakAgain shows the open dialogs in the present language. Those of Fyne, which choose files, stay as they are.
func (w *Window) SpeakAgain() {
	for _, open := range slices.Clone(w.dialogs) {
		if shown, ok := open.dialog.(interface{ Again() }); ok {
			shown.Again()
		}
	}
}

// showPicker shows one of Fyne's dialogs to choose a file or folder. The places at its left, which Fyne has in English
// only, are translated.
func (w *Window) showPicker(picker *dialog.FileDialog, title string) {
	picker.SetTitleText(title)
	w.ShowDialog(picker)
	if over, ok := w.Window.Canvas().Overlays().Top().(fyne.Widget); ok {
		for _, part := range over.CreateRenderer().Objects() { // its content has no other name outside Fyne
			translatePlaces(part)
		}
	}
}

// translatePlaces looks for the list of places in a part of a picker, and translates the names that it shows.
func translatePlaces(part fyne.CanvasObject) {
	switch part := part.(type) {
	case *widget.PopUp:
		translatePlaces(part.Content)
	case *fyne.Container:
		for _, object := range part.Objects {
			translatePlaces(object)
		}
	case *container.Split:
		translatePlaces(part.Leading)
	case *widget.List:
		update := part.UpdateItem
		part.UpdateItem = func(id widget.ListItemID, row fyne.CanvasObject) {
			update(id, row)
			if row, ok := row.(*fyne.Container); ok {
				for _, object := range row.Objects {
					if label, ok := object.(*widget.Label); ok {
						label.SetText(placeName(label.Text))
					}
				}
			}
		}
		part.Refresh()
	}
}

// placeName returns the name of a place in the current language. Others, such as the drives of Windows, stay as they
// are.
func placeName(english string) string {
	names := map[string]string{
		"Home": lang.L("Home"), "Computer": lang.L("Computer"), "Desktop": lang.L("Desktop"),
		"Documents": lang.L("Documents"),
		"Downloads": lang.L("Downloads"), "Music": lang.L("Music"), "Pictures": lang.L("Pictures"),
		"Videos": lang.L("Videos"), "Movies": lang.L("Movies"),
	}
	if name, ok := names[english]; ok {
		return name
	}
	return english
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
	shown.SetAgain(func() { w.Fail(err) })
	w.ShowDialog(shown)
	w.Window.Canvas().Focus(closes)
}

// Asked are the texts of a question, and that of the button that says yes.
type Asked struct{ Title, Text, Yes string }

// Ask asks before an action that affects others. Esc and Enter cancel it. words is called again after a change of the
// language.
func (w *Window) Ask(words func() Asked, do func()) {
	asked := words()
	ask := kit.NewQuestion(asked.Title, 480, kit.NewParagraph(asked.Text, kit.TextStyle{}), w.Window)
	keep := kit.NewButton(lang.L("Cancel"), widget.HighImportance, ask.Hide)
	ask.SetButtons([]fyne.CanvasObject{kit.NewButton(asked.Yes, widget.MediumImportance, func() {
		ask.Hide()
		do()
	}), keep})
	ask.SetAgain(func() { w.Ask(words, do) })
	w.ShowDialog(ask)
	w.Window.Canvas().Focus(keep)
}

// Copy puts text on the clipboard.
func (w *Window) Copy(text string) { w.app.Clipboard().SetContent(text) }

// SaveAs saves data to a file that the user chooses, by default one with this name in the folder for documents.
func (w *Window) SaveAs(name string, data []byte) {
	path := filepath.Join(paths.Here(os.Getenv).UserFolders().Documents, name)
	w.AskWhere(path, func(path string, before []byte) error {
		return paths.Cause(atomicfile.Replace(path, data, before))
	}, w.TellSaved)
}

// TellSaved shows that a file was saved, and offers to show its folder.
func (w *Window) TellSaved(path string) {
	w.Toast.Show(lang.L("Saved as {{.Name}}", map[string]any{"Name": kit.Line(filepath.Base(path))}),
		lang.L("Open folder"), func() { w.OpenFolder(path) })
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
	w.showPicker(ask, lang.L("Choose a file"))
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
	w.showPicker(ask, lang.L("Choose a folder"))
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

// OpenFolder opens the folder of a file. It makes the folder first if there is none, as before a configuration is
// first saved.
func (w *Window) OpenFolder(path string) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		w.Fail(err)
		return
	}
	w.OpenPath(folder)
}

// fileURL returns the address of a file.
func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if path != "" && path[0] != '/' { // a Windows path begins with its drive
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}
