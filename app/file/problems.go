package file

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// maxProblems is how many problems are listed.
const maxProblems = 50

// problems is the list of what is wrong with the text, in its order: where, what, what to do, and buttons.
type problems struct {
	root   *fyne.Container
	title  *kit.Text
	all    *kit.Button
	rows   *fyne.Container
	scroll *container.Scroll

	shown []said
	wants []said
}

func newProblems(repairAll func()) *problems {
	p := &problems{
		title: kit.NewText("", kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		rows:  kit.Column(8),
	}
	p.all = kit.NewButton(lang.L("Repair everything…"), widget.MediumImportance, repairAll)
	p.scroll = container.NewVScroll(p.rows)
	p.root = kit.Column(kit.Gap, kit.Row(kit.Gap, kit.Rest(p.title), p.all), container.New(problemsLayout{p}, p.scroll))
	p.root.Hide()
	return p
}

// show lists problems. Fix and goto are what the buttons of one do; fix may be nil. Those that stay the same keep their
// widgets.
func (p *problems) show(diagnostics []config.Diagnostic, fix, goTo func(config.Diagnostic)) {
	p.wants = p.wants[:0]
	fixable := 0
	for i, diagnostic := range diagnostics {
		if diagnostic.Fix != nil {
			fixable++
		}
		if i >= maxProblems {
			continue
		}
		row := said{state: stateOf(diagnostic.Severity), text: problemText(diagnostic), hint: kit.Hint(kit.Say(diagnostic.Message), kit.Say(diagnostic.Hint))}
		if diagnostic.Fix != nil && fix != nil {
			row.acts = append(row.acts, act{kit.Say(diagnostic.Fix.Title), widget.MediumImportance, func() { fix(diagnostic) }})
		}
		row.acts = append(row.acts, act{lang.L("Show"), widget.LowImportance, func() { goTo(diagnostic) }})
		p.wants = append(p.wants, row)
	}
	p.title.Set(countProblems(diagnostics))
	kit.SetVisible(p.all, fixable > 0 && fix != nil)
	kit.SetVisible(p.root, len(diagnostics) > 0)
	same := slices.EqualFunc(p.shown, p.wants, said.like)
	p.shown = slices.Clone(p.wants)
	if same {
		return
	}
	p.rows.RemoveAll()
	for i, row := range p.shown {
		p.rows.Add(p.draw(i, row))
	}
	if more := len(diagnostics) - len(p.shown); more > 0 {
		p.rows.Add(kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": more}), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	p.scroll.ScrollToTop()
}

func (p *problems) draw(i int, row said) fyne.CanvasObject {
	words := kit.Column(kit.GapHair, kit.NewParagraph(row.text, kit.TextStyle{Size: theme.SizeSmall}))
	if row.hint != "" {
		words.Add(kit.NewParagraph(row.hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	var buttons []fyne.CanvasObject
	long := false
	for j, act := range row.acts {
		long = long || len([]rune(act.label)) > 26
		button := kit.NewButton(kit.Line(act.label), act.importance, func() {
			if i < len(p.shown) && j < len(p.shown[i].acts) {
				p.shown[i].acts[j].do()
			}
		})
		button.OnFocus = func() { p.reveal(button) }
		buttons = append(buttons, button)
	}
	if long { // beside such a button there would be no room for words
		words.Add(kit.NewFlow(8, buttons...))
		return kit.Marked(row.state, words)
	}
	return kit.Row(kit.Gap, kit.Rest(kit.Marked(row.state, words)), kit.Row(kit.GapTight, buttons...))
}

// reveal scrolls so far that a button can be seen.
func (p *problems) reveal(button fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(button).Y - driver.AbsolutePositionForObject(p.rows).Y
	bottom, view := top+button.Size().Height, p.scroll.Size().Height
	switch offset := p.scroll.Offset.Y; {
	case top < offset:
		p.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case bottom > offset+view:
		p.scroll.ScrollToOffset(fyne.NewPos(0, bottom-view))
	}
}

// problemText says where a problem is, and what it is.
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
		add(lang.N("{{.Count}} remarks", n, map[string]any{"Count": n}))
	}
	return text
}

// stateOf is the shape and colour of a severity.
func stateOf(severity config.Severity) theme.State {
	switch severity {
	case config.SeverityError:
		return theme.StateWrong
	case config.SeverityWarning:
		return theme.StateNotice
	}
	return theme.StateIdle
}

// problemsLayout has the list as high as all of it is, up to a height.
type problemsLayout struct{ *problems }

const maxListHeight = 112

func (l problemsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, min(l.rows.MinSize().Height, maxListHeight))
}

func (l problemsLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.rows.Resize(fyne.NewSize(size.Width, l.rows.MinSize().Height)) // only then texts know how they wrap
	l.scroll.Resize(size)
}
