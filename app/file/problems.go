package file

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// maxProblems is how many problems are listed.
const maxProblems = 50

// problems lists the problems of the text in their order: the place, the message, the hint and the buttons of each.
type problems struct {
	root  *fyne.Container
	title *kit.Text
	all   *kit.Button
	rows  *fyne.Container
	page  *kit.Page
	shown []notice
}

func newProblems(repairAll func()) *problems {
	p := &problems{
		title: kit.NewText("", kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		rows:  kit.Column(kit.Gap),
	}
	p.all = kit.NewButton(lang.L("Repair everything…"), widget.MediumImportance, repairAll)
	p.page = kit.NewPage(p.rows)
	p.root = kit.Column(kit.Gap, kit.Row(kit.Gap, kit.Rest(p.title), p.all), container.New(problemsLayout{p}, p.page))
	p.root.Hide()
	return p
}

// show lists problems. fix and goTo are what the buttons of one do; fix may be nil. Problems that stay the same keep their widgets.
func (p *problems) show(diagnostics []config.Diagnostic, fix, goTo func(config.Diagnostic)) {
	var rows []notice
	fixable := false
	for i, diagnostic := range diagnostics {
		fixable = fixable || diagnostic.Fix != nil
		if i >= maxProblems {
			continue
		}
		row := notice{state: live.OfSeverity(diagnostic.Severity), text: problemText(diagnostic), hint: kit.Hint(kit.Say(diagnostic.Message), kit.Say(diagnostic.Hint))}
		if diagnostic.Fix != nil && fix != nil {
			row.buttons = append(row.buttons, button{kit.Say(diagnostic.Fix.Title), widget.MediumImportance, func() { fix(diagnostic) }})
		}
		row.buttons = append(row.buttons, button{lang.L("Show"), widget.LowImportance, func() { goTo(diagnostic) }})
		rows = append(rows, row)
	}
	p.title.Set(countProblems(diagnostics))
	kit.SetVisible(p.all, fixable && fix != nil)
	kit.SetVisible(p.root, len(diagnostics) > 0)
	same := slices.EqualFunc(p.shown, rows, notice.sameAs)
	p.shown = rows
	if same {
		return
	}
	p.rows.RemoveAll()
	for i, row := range p.shown {
		p.rows.Add(row.draw(theme.SizeSmall, func(button int) {
			if i < len(p.shown) && button < len(p.shown[i].buttons) {
				p.shown[i].buttons[button].tapped()
			}
		}))
	}
	if more := len(diagnostics) - len(p.shown); more > 0 {
		p.rows.Add(kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": more}), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	p.page.Arrange()
	p.page.ScrollToTop()
}

// problemText returns the place and the message of a problem.
func problemText(diagnostic config.Diagnostic) string {
	return lang.L("Line {{.Line}}: {{.Message}}", map[string]any{"Line": diagnostic.Line, "Message": kit.Sentence(kit.Say(diagnostic.Message))})
}

// countProblems says how many problems there are, of which the rest of the window speaks in the same way, and how many remarks.
func countProblems(diagnostics []config.Diagnostic) string {
	count := map[config.Severity]int{}
	for _, diagnostic := range diagnostics {
		count[diagnostic.Severity]++
	}
	text := ""
	add := func(next string) {
		if text != "" {
			text += ", "
		}
		text += next
	}
	if n := count[config.SeverityError] + count[config.SeverityWarning]; n > 0 {
		add(lang.N("{{.Count}} problems", n, map[string]any{"Count": n}))
	}
	if n := count[config.SeverityInfo]; n > 0 {
		add(lang.N("{{.Count}} notes", n, map[string]any{"Count": n}))
	}
	return text
}

// problemsLayout has the list as high as all of it is, up to a height.
type problemsLayout struct{ *problems }

const maxListHeight = 112

func (l problemsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, min(l.rows.MinSize().Height, maxListHeight))
}

func (l problemsLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.page.Resize(size)
}
