package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// maxProblems is the most problems that are listed.
const maxProblems = 50

// problems lists the problems of the text in order, each with its place, message, hint and buttons.
type problems struct {
	root  *fyne.Container
	title *kit.Text
	all   *kit.Button
	notes *kit.Notes
	more  *kit.Text
	rows  *fyne.Container
	page  *kit.Page
}

func newProblems(repairAll func()) *problems {
	p := &problems{
		title: kit.NewText("", kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		notes: kit.NewNotes(),
		more:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	p.all = kit.NewButton(lang.L("Repair everything"), widget.MediumImportance, repairAll)
	p.rows = kit.Column(kit.Gap, p.notes.Root, p.more)
	p.page = kit.NewPage(p.rows)
	p.page.Most = kit.NotesMost
	p.root = kit.Column(kit.Gap, kit.Row(kit.Gap, kit.Rest(p.title), p.all), p.page)
	p.root.Hide()
	return p
}

// show lists problems. The buttons of a problem call fix, which may be nil, and goTo. Unchanged problems keep their
// widgets.
func (p *problems) show(diagnostics []config.Diagnostic, fix, goTo func(config.Diagnostic)) {
	var rows []kit.Note
	fixable := false
	for i, diagnostic := range diagnostics {
		fixable = fixable || diagnostic.Fix != nil
		if i >= maxProblems {
			continue
		}
		row := kit.Note{State: live.OfDiagnostic(diagnostic), Text: problemText(diagnostic),
			Hint: kit.Hint(diagnostic.Message, kit.Say(diagnostic.Hint))}
		if diagnostic.Fix != nil && fix != nil {
			row.Acts = append(row.Acts, kit.Act{Label: kit.Say(diagnostic.Fix.Title), Do: func() { fix(diagnostic) }})
		}
		row.Acts = append(row.Acts, kit.Act{Label: lang.L("Show"), Importance: widget.LowImportance, Do: func() {
			goTo(diagnostic)
		}})
		rows = append(rows, row)
	}
	p.title.Set(countProblems(diagnostics))
	kit.SetVisible(p.all, fixable && fix != nil)
	kit.SetVisible(p.root, len(diagnostics) > 0)
	more := len(diagnostics) - len(rows)
	kit.SetVisible(p.more, more > 0)
	p.more.Set(lang.L("and {{.Count}} more", map[string]any{"Count": more}))
	if !p.notes.Set(rows) {
		return
	}
	p.page.Arrange()
	p.page.ScrollToTop()
}

// problemText returns the place and the message of a problem.
func problemText(diagnostic config.Diagnostic) string {
	return lang.L("Line {{.Line}}: {{.Message}}",
		map[string]any{"Line": diagnostic.Line, "Message": kit.Sentence(kit.Say(diagnostic.Message))})
}

// countProblems returns a text with the number of problems and the number of notes. As in the rest of the window,
// errors and warnings are problems.
func countProblems(diagnostics []config.Diagnostic) string {
	notes := 0
	for _, diagnostic := range diagnostics {
		if diagnostic.IsNote() {
			notes++
		}
	}
	var parts []string
	if n := len(diagnostics) - notes; n > 0 {
		parts = append(parts, lang.N("{{.Count}} problems", n, map[string]any{"Count": n}))
	}
	if notes > 0 {
		parts = append(parts, lang.N("{{.Count}} notes", notes, map[string]any{"Count": notes}))
	}
	return kit.Facts(parts...)
}
