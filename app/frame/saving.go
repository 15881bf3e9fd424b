package frame

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// Saving is the part of a dialog in which the user chooses where to save a file. An existing file is replaced only
// after the user has agreed. Fyne's own dialog for this asks in English, and empties the file before it is written.
type Saving struct {
	Content fyne.CanvasObject

	window  *Window
	write   func(path string, before []byte) error
	saved   func(path string)
	shown   *kit.Question
	path    *kit.Input
	problem *kit.Lines
	save    *kit.Button
	before  []byte // the content that the user has agreed to replace; nil if there is no file
	known   bool   // the user was told that the file exists
	busy    bool
}

// saveWidth is the width in pixels of a dialog that has only a Saving in it: room for a long path.
const saveWidth = 640

// AskWhere shows a dialog that has only a [Saving] in it. The arguments are those of [Window.NewSaving].
func (w *Window) AskWhere(path string, write func(path string, before []byte) error, saved func(path string)) {
	saving := w.NewSaving(path, write, saved)
	saving.ShowIn(kit.NewQuestion(lang.L("Save as"), saveWidth, saving.Content, w.Window), func(path string) {
		w.AskWhere(path, write, saved)
	})
}

// maxReplaced is the size in bytes of the largest file that may be replaced. A larger one is hardly what the user
// means.
const maxReplaced = 64 << 20

// NewSaving returns a Saving that proposes a path. It calls write in the background; before is the content that the
// user has agreed to replace, or nil if there must be no file yet. After that it closes the dialog and calls saved.
func (w *Window) NewSaving(path string, write func(path string, before []byte) error,
	saved func(path string)) *Saving {
	s := &Saving{window: w, write: write, saved: saved, path: kit.NewInput("")}
	s.path.Text = path
	s.path.OnChanged = func(string) { s.again() }
	s.path.OnSubmitted = func(string) { s.try() }
	pick := kit.NewIconButton(base.FolderOpenIcon(), lang.L("Choose a folder"), func() {
		w.PickFolder(func(folder string) { s.path.SetText(filepath.Join(folder, filepath.Base(s.path.Text))) })
	})
	s.problem = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	s.Content = kit.Column(kit.GapTight, container.NewBorder(nil, nil, nil, pick, s.path), s.problem)
	return s
}

// ShowIn shows a dialog that has the content of s in it, with buttons to cancel and to save. After a change of the
// language, again gets the path that the user has typed meanwhile, and shows the dialog again.
func (s *Saving) ShowIn(shown *kit.Question, again func(path string)) {
	shown.SetAgain(func() { again(s.path.Text) })
	s.shown, s.save = shown, kit.NewButton(lang.L("Save"), widget.HighImportance, s.try)
	shown.SetButtons([]fyne.CanvasObject{kit.NewButton(lang.L("Cancel"), widget.MediumImportance, shown.Hide), s.save})
	s.window.ShowDialog(shown)
	s.window.Window.Canvas().Focus(s.save)
}

// again starts over after the path was changed.
func (s *Saving) again() {
	s.before, s.known = nil, false
	s.say("")
	s.save.SetText(lang.L("Save"))
}

func (s *Saving) say(text string) {
	s.problem.Set(text)
	s.shown.Refresh()
}

// try saves the file. If the file exists, try only says so; the next call replaces the file.
func (s *Saving) try() {
	if s.busy {
		return
	}
	path, before, known := strings.TrimSpace(s.path.Text), s.before, s.known
	if !filepath.IsAbs(path) {
		s.say(lang.L("Write the whole path of the file."))
		return
	}
	s.busy = true
	type outcome struct {
		there []byte
		is    bool
	}
	task.Ask(s.window.tasks, func() (outcome, error) {
		if !known {
			there, err := atomicfile.Read(path, maxReplaced)
			if !errors.Is(err, fs.ErrNotExist) {
				return outcome{there, true}, err
			}
		}
		return outcome{}, s.write(path, before)
	}, func(found outcome, err error) {
		s.busy = false
		switch {
		case err != nil:
			s.again()
			s.say(kit.ErrorSentence(err))
		case found.is:
			s.before, s.known = found.there, true
			s.say(lang.L("There is such a file already."))
			s.save.SetText(lang.L("Replace it"))
		default:
			s.shown.Hide()
			s.saved(path)
		}
	})
}
