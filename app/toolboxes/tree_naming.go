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

// rename lets the user edit the name of a row in place. The field begins with typed, or with the name if typed is empty.
func (b *treeBody) rename(choice model.Choice, typed string) {
	row := b.rowOf(choice)
	if row == noRow && choice.Toolbox != "" {
		return
	}
	name := choice.Server
	if name == "" {
		name = choice.Toolbox
	}
	b.naming = naming{on: true, choice: choice}
	b.hover = noRow
	b.scroll.Refresh()
	b.reveal(b.namingRow())
	b.field.SetPlaceHolder("")
	if choice.Toolbox == "" {
		b.field.SetPlaceHolder(lang.L("Name of the new toolbox"))
	}
	b.field.Begin(kit.NameEdit{
		Text: name, Typed: typed,
		Check: func(text string) string { return b.view.CheckName(b.naming.choice, text) },
		Say:   b.sayProblem,
		Done: func(text string, saved, left bool) {
			choice := b.naming.choice
			b.naming = naming{}
			b.scroll.Refresh()
			if !left {
				b.focus()
			}
			if saved {
				b.owner.renamed(choice, text)
			}
		},
	})
	kit.Focus(b.field)
}

// namingRow returns the row in which the name is edited.
func (b *treeBody) namingRow() int {
	if b.naming.choice.Toolbox == "" {
		return len(b.lines)
	}
	return max(0, b.rowOf(b.naming.choice))
}

// sayProblem shows the problem of the typed name.
func (b *treeBody) sayProblem(problem string) {
	b.problem.words.Set(problem)
	kit.SetVisible(b.problem.box, problem != "")
	b.scroll.Refresh()
}

// follow finds out where a drag would go in a new View. It ends the drag if what is dragged is gone, and the editing of a name if its row is gone.
func (b *treeBody) follow() {
	if b.drag.on {
		if b.view.has(b.drag.what) {
			b.drag.landing, b.drag.ok = b.land()
		} else {
			b.cancelDrag()
		}
	}
	if b.naming.on && b.naming.choice.Toolbox != "" && b.rowOf(b.naming.choice) == noRow {
		b.field.Cancel()
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
