package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// naming is the state of editing a name in the tree.
type naming struct {
	on     bool
	choice model.Choice // whose name is edited; zero for a new toolbox
}

// rename lets the user edit the name of a row in place. The field begins with typed, or with the name if typed is
// empty.
func (t *tree) rename(choice model.Choice, typed string) {
	row := t.rowOf(choice)
	if row == noRow && choice.Toolbox != "" {
		return
	}
	name := choice.Server
	if name == "" {
		name = choice.Toolbox
	}
	t.naming = naming{on: true, choice: choice}
	t.hover = noRow
	t.scroll.Refresh()
	t.reveal(t.namingRow())
	t.field.SetPlaceHolder("")
	if choice.Toolbox == "" {
		t.field.SetPlaceHolder(lang.L("Name of the new toolbox"))
	}
	t.field.Begin(kit.NameEdit{
		Text: name, Typed: typed,
		Check: func(text string) string { return t.view.CheckName(t.naming.choice, text) },
		Say:   t.sayProblem,
		Done: func(text string, saved, left bool) {
			choice := t.naming.choice
			t.naming = naming{}
			t.scroll.Refresh()
			if !left {
				t.focus()
			}
			t.screen.named(choice, text, saved, left)
		},
	})
	kit.Focus(t.field)
}

// namingRow returns the row in which the name is edited.
func (t *tree) namingRow() int {
	if t.naming.choice.Toolbox == "" {
		return len(t.lines)
	}
	return max(0, t.rowOf(t.naming.choice))
}

// sayProblem shows the problem of the typed name.
func (t *tree) sayProblem(problem string) {
	t.problem.words.Set(problem)
	kit.SetVisible(t.problem.box, problem != "")
	t.scroll.Refresh()
}

// follow finds out where a drag would go in a new View. It ends the drag if what is dragged is gone, and the editing
// of a name if its row is gone.
func (t *tree) follow() {
	if t.drag.on {
		if t.view.has(t.drag.what) {
			t.drag.landing, t.drag.ok = t.aimed()
		} else {
			t.cancelDrag()
		}
	}
	if t.naming.on && t.naming.choice.Toolbox != "" && t.rowOf(t.naming.choice) == noRow {
		t.field.Cancel()
	}
}

// treeProblem says below a name why it cannot be used.
type treeProblem struct {
	box   *kit.Box
	words *kit.Lines
}

func newTreeProblem() *treeProblem {
	words := kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	style := kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorWrong, Radius: theme.SizeFieldRadius}
	return &treeProblem{kit.NewBox(style, kit.Inset(words, kit.Gap, kit.GapWide)), words}
}

// height returns the height at the given width.
func (p *treeProblem) height(width float32) float32 {
	p.box.Resize(fyne.NewSize(width, p.box.Size().Height))
	return p.box.MinSize().Height
}
