package serverlog

import (
	"slices"

	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// matches is the search of the log: its field, the number of the lines that match, and the way from one to the next.
type matches struct {
	log     *Log
	current int // the number of the line that the user has gone to, or -1
	search  *kit.Input
	found   *kit.Text
	before  *kit.Button
	after   *kit.Button
	only    *kit.Check
}

func newMatches(log *Log) *matches {
	m := &matches{log: log, current: -1}
	m.search = kit.NewSearch(lang.L("Search"), m.find)
	m.search.OnSubmitted = func(string) { m.step(1) }
	m.search.OnArrow(m.step)
	m.found = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	m.before = kit.NewIconButton(base.MoveUpIcon(), lang.L("Previous match"), func() { m.step(-1) })
	m.after = kit.NewIconButton(base.MoveDownIcon(), lang.L("Next match"), func() { m.step(1) })
	m.only = kit.NewCheck(lang.L("Only matches"), func(on bool) {
		log.list.only = on
		log.redraw()
		m.showCurrent()
	})
	return m
}

// draw shows the number of matches.
func (m *matches) draw() {
	list, words := &m.log.list, ""
	if list.search != "" {
		words = lang.N("{{.Count}} matches", len(list.matches), map[string]any{"Count": len(list.matches)})
		if at := m.position(); at >= 0 {
			words = lang.L("{{.At}} of {{.All}}", map[string]any{"At": at + 1, "All": len(list.matches)})
		}
	}
	m.found.Set(words)
	some := len(list.matches) > 0
	kit.SetEnabled(m.before, some)
	kit.SetEnabled(m.after, some)
	kit.SetVisible(m.only, list.search != "")
}

// find searches for text and goes to the newest match, since the newest lines matter most in a log.
func (m *matches) find(text string) {
	list := &m.log.list
	list.find(text)
	m.current = -1
	if n := len(list.matches); n > 0 {
		m.current = list.lines[list.matches[n-1]].number
	}
	m.log.redraw()
	m.showCurrent()
}

// position returns the index of the current match, or -1.
func (m *matches) position() int {
	list := &m.log.list
	return slices.IndexFunc(list.matches, func(at int) bool { return list.lines[at].number == m.current })
}

// step goes to the next or the previous match. After the last match comes the first.
func (m *matches) step(by int) {
	list := &m.log.list
	n := len(list.matches)
	if n == 0 {
		return
	}
	at := m.position()
	switch {
	case at >= 0:
		at = (at + by + n) % n
	case by < 0:
		at = n - 1
	default:
		at = 0
	}
	m.current = list.lines[list.matches[at]].number
	m.log.redraw()
	m.showCurrent()
}

func (m *matches) showCurrent() {
	if row := m.log.list.row(m.current); row >= 0 {
		m.log.pane.reveal(row)
	}
}
