// Package sharing shows the file that a toolbox is shared as, and saves it.
package sharing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/share"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Options are what the dialog needs.
type Options struct {
	Window *frame.Window
	Tasks  *task.Tasks
	Getenv func(string) string
}

// The width of the dialog, in pixels, and the number of lines of the file that are visible at once.
const (
	width = 760
	lines = 12
)

// dialog is the open dialog.
type dialog struct {
	Options
	file    share.File
	shown   *kit.Question
	path    *kit.Input
	problem *kit.Lines
	save    *kit.Button
	before  []byte // the file at the path that the user has agreed to replace; nil if there is none
	known   bool   // the user was told that the path exists
	saving  bool
}

// Show shows the file for a toolbox, so that the user can read it before saving it.
func Show(box *config.Toolbox, o Options) {
	here := paths.Here(o.Getenv)
	options := share.Options{Home: here.Home, Say: kit.Say}
	options.Extensions, _ = here.Extensions() // without a place for them, there are none
	file, err := share.Make(box, options)
	if err != nil {
		o.Window.Fail(err)
		return
	}
	d := &dialog{Options: o, file: file}
	content := kit.Column(kit.GapWide,
		kit.NewParagraph(lang.L("This is all that the file will have in it. Look through it: what was not recognised as a secret is still there."), kit.TextStyle{}),
		kit.NewWhole(lines, spans(string(file.Text))...))
	if len(file.Taken) > 0 {
		taken := kit.Column(kit.GapTight, kit.NewText(lang.L("Not in the file"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}))
		for _, each := range file.Taken {
			taken.Add(kit.Sign(theme.StateIdle, kit.NewParagraph(kit.Line(each.Server)+": "+kit.Say(each.What), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})))
		}
		content.Add(taken)
	}
	d.path = kit.NewInput("")
	d.path.Text = filepath.Join(here.UserFolders().Documents, file.Name)
	d.path.OnChanged = func(string) { d.again() }
	d.path.OnSubmitted = func(string) { d.write() }
	pick := kit.NewIconButton(base.FolderOpenIcon(), lang.L("Choose a folder…"), func() {
		o.Window.PickFolder(func(folder string) {
			if folder != "" {
				d.path.SetText(filepath.Join(folder, filepath.Base(d.path.Text)))
			}
		})
	})
	d.problem = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	content.Add(kit.Column(kit.GapTight, kit.NewText(lang.L("Save as"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}), container.NewBorder(nil, nil, nil, pick, d.path), d.problem))
	d.shown, _ = kit.NewScrollingQuestion(lang.L("Share “{{.Name}}”", map[string]any{"Name": kit.Line(box.Name)}), width, content, o.Window.Window)
	d.save = kit.NewButton(lang.L("Save"), widget.HighImportance, d.write)
	d.shown.SetButtons([]fyne.CanvasObject{kit.NewButton(lang.L("Cancel"), widget.MediumImportance, d.shown.Hide), d.save})
	o.Window.ShowDialog(d.shown)
	o.Window.Window.Canvas().Focus(d.save)
}

// spans returns the lines of a text. Characters that cannot be seen are written as JSON escapes.
func spans(text string) []kit.WholeSpan {
	var all []kit.WholeSpan
	for line := range strings.Lines(text) {
		all = append(all, kit.WholeSpan{Text: visible.Map(strings.TrimSuffix(line, "\n"), visible.Escape), Break: true})
	}
	return all
}

// again starts over after the path was changed.
func (d *dialog) again() {
	d.before, d.known = nil, false
	d.say("")
	d.save.SetText(lang.L("Save"))
}

func (d *dialog) say(text string) {
	d.problem.Set(text)
	d.shown.Refresh()
}

// maxReplaced is the largest file that may be replaced. The files written here are much smaller, so a larger one is something else.
const maxReplaced = 4 * share.MaxSize

// write saves the file. If the path exists, write first asks the user to confirm; the file is replaced at the second call.
func (d *dialog) write() {
	if d.saving {
		return
	}
	path, before, known := strings.TrimSpace(d.path.Text), d.before, d.known
	if !filepath.IsAbs(path) {
		d.say(lang.L("Write the whole path of the file."))
		return
	}
	d.saving = true
	type outcome struct {
		there []byte
		is    bool
	}
	task.Ask(d.Tasks, func() (outcome, error) {
		if info, err := os.Stat(path); err == nil && !known {
			if !info.Mode().IsRegular() || info.Size() > maxReplaced {
				return outcome{}, d.file.Save(path, nil) // Save returns an error that says why not
			}
			there, err := os.ReadFile(path)
			return outcome{there, true}, err
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return outcome{}, err
		}
		return outcome{}, d.file.Save(path, before)
	}, func(found outcome, err error) {
		d.saving = false
		switch {
		case err != nil:
			d.again()
			d.say(kit.ErrorSentence(err))
		case found.is:
			d.before, d.known = found.there, true
			d.say(lang.L("There is such a file already."))
			d.save.SetText(lang.L("Replace it"))
		default:
			d.shown.Hide()
			d.Window.Toast.Show(lang.L("Saved as {{.Name}}", map[string]any{"Name": kit.Line(filepath.Base(path))}), lang.L("Show in folder"), func() { d.Window.OpenPath(filepath.Dir(path)) })
		}
	})
}
