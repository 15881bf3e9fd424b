// Package serverlog is the Log tab of a server. It shows what the server wrote and what Workbench did with it.
package serverlog

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// MaxLines is how many of the newest lines are kept at least. Older lines may be dropped.
const MaxLines = 10_000

// View says whose log is shown. Empty is a sentence that says why there are no lines.
type View struct {
	Toolbox, Server string
	Empty           string
}

// Program does what the user asks for. Its methods are called on the goroutine of the window and must not block.
type Program interface {
	Copy(text string)                // puts text on the clipboard
	SaveAs(name string, data []byte) // asks for a place and writes a file there
}

// Log is the tab. Call its methods only on the goroutine of the window.
type Log struct {
	program Program
	view    View
	list    lineList

	follow  bool // scroll to new lines
	unseen  int  // how many lines were added since the user has scrolled away from the end
	cleared bool // the user has cleared the tab
	chosen  selection

	root    *fyne.Container
	matches *matches
	copies  *kit.Button
	saves   *kit.Button
	clears  *kit.Button
	pane    *pane
	newer   *kit.Button
	newerAt *fyne.Container
	detail  *fyne.Container
	empty   *fyne.Container
}

// New returns an empty tab.
func New(program Program) *Log {
	l := &Log{program: program, follow: true, chosen: nothing()}
	l.matches = newMatches(l)
	l.copies = kit.NewButtonWithIcon(lang.L("Copy all"), base.ContentCopyIcon(), widget.LowImportance, l.copy)
	l.saves = kit.NewButtonWithIcon(lang.L("Save…"), base.DocumentSaveIcon(), widget.LowImportance, l.save)
	l.clears = kit.NewButtonWithIcon(lang.L("Clear"), base.ContentClearIcon(), widget.LowImportance, l.clear)

	l.pane = newPane(l)
	l.newer = kit.NewButtonWithIcon(lang.L("New lines"), base.MoveDownIcon(), widget.HighImportance, l.toEnd)
	l.newerAt = container.NewVBox(layout.NewSpacer(), container.NewCenter(l.newer), kit.NewGap(0, kit.Gap))
	l.newerAt.Hide()
	l.detail, l.empty = container.NewStack(), container.NewStack()
	l.build()
	l.redraw()
	return l
}

func (l *Log) build() {
	m := l.matches
	search := kit.Row(kit.Gap, kit.Rest(m.search), m.found, kit.Row(kit.GapTight, m.before, m.after))
	tools := kit.Row(0, m.only, kit.Rest(kit.NewGap(0, 0)), kit.Row(kit.GapTight, l.copies, l.saves, l.clears))
	lines := kit.Column(kit.Gap, kit.Rest(container.NewStack(l.pane, l.newerAt)), l.detail)
	l.root = kit.Column(0, kit.Inset(kit.Column(kit.GapTight, search, tools), kit.GapWide, kit.GapEdge),
		kit.Rest(kit.InsetSides(container.NewStack(lines, l.empty), 0, kit.GapBlock, kit.GapEdge, kit.GapEdge)))
}

// Object returns what the window shows.
func (l *Log) Object() fyne.CanvasObject { return l.root }

// Apply shows view. If view is of another server than before, Apply removes all lines.
func (l *Log) Apply(view View) {
	another := l.view.Toolbox != view.Toolbox || l.view.Server != view.Server
	l.view = view
	if another {
		l.Set(nil)
		return
	}
	l.showEmpty()
}

// Set replaces the lines. The oldest of lines comes first.
func (l *Log) Set(lines []status.LogLine) {
	l.list.set(lines)
	l.cleared, l.follow, l.unseen = false, true, 0
	l.chosen, l.matches.current = nothing(), -1
	l.detail.RemoveAll()
	l.redraw()
	l.pane.toEnd()
}

// Append adds lines at the end and scrolls to them, unless the user has scrolled up to read.
func (l *Log) Append(lines ...status.LogLine) {
	if len(lines) == 0 {
		return
	}
	first := l.list.next
	dropped := l.list.add(lines)
	if !l.follow {
		for row := l.list.rows() - 1; row >= 0 && l.list.at(row).number >= first; row-- {
			l.unseen++
		}
	}
	l.redraw()
	switch {
	case l.follow:
		l.pane.toEnd()
	case dropped > 0 && !l.list.filtered():
		// Keep the lines that the user reads in place when older lines are dropped.
		l.pane.by(-dropped)
	}
}

// FocusSearch puts the cursor into the search field.
func (l *Log) FocusSearch(canvas fyne.Canvas) { canvas.Focus(l.matches.search) }

func (l *Log) fill(i int, r *row) {
	if i >= l.list.rows() {
		return
	}
	line := l.list.at(i)
	r.show(line, look{
		selected: l.chosen.has(line.number),
		match:    l.list.search != "" && l.list.match(line),
		current:  line.number == l.matches.current,
	}, func() {
		l.choose(line.number, kit.Modifiers()&fyne.KeyModifierShift != 0)
		if !l.pane.Focused() {
			kit.Focus(l.pane)
		}
	})
}

// redraw draws everything that depends on the lines.
func (l *Log) redraw() {
	l.matches.draw()
	label := lang.L("Copy all")
	switch {
	case l.chosen.several():
		label = lang.L("Copy selected")
	case l.list.filtered():
		label = lang.L("Copy shown")
	}
	l.copies.SetText(label)
	for _, button := range []*kit.Button{l.copies, l.saves, l.clears} {
		kit.SetEnabled(button, l.list.rows() > 0)
	}
	l.showEmpty()
	l.showNewer()
	l.pane.refresh()
	l.root.Refresh()
}

func (l *Log) showEmpty() {
	text, title := l.view.Empty, lang.L("Nothing in the log")
	switch {
	case len(l.list.lines) > 0 && l.list.rows() > 0:
		l.empty.RemoveAll()
		l.pane.Show()
		return
	case len(l.list.lines) > 0:
		title, text = lang.L("Nothing matches"), ""
	case l.cleared:
		text = lang.L("New lines appear here.")
	case text == "":
		text = lang.L("New lines appear here.")
	}
	l.pane.Hide()
	l.empty.Objects = []fyne.CanvasObject{kit.NewEmpty(kit.WidthNote, nil, title, text)}
	l.empty.Refresh()
}

// showNewer shows a button that goes to the new lines, if some are out of sight.
func (l *Log) showNewer() {
	kit.SetVisible(l.newerAt, !l.follow && l.unseen > 0)
	l.newer.SetText(lang.N("{{.Count}} new lines", l.unseen, map[string]any{"Count": l.unseen}))
}

func (l *Log) toEnd() {
	l.follow, l.unseen = true, 0
	l.showNewer()
	l.pane.toEnd()
}

// scrolled notes whether the last line is visible after scrolling. If it is, new lines are followed again.
func (l *Log) scrolled(atEnd bool) {
	l.follow = atEnd
	if atEnd && l.unseen > 0 {
		l.unseen = 0
		l.showNewer()
	}
}

// choose selects the line with a number, or extends the selection to it if stretch is set. If only one line is
// selected, it is shown in full below.
func (l *Log) choose(number int, stretch bool) {
	l.chosen.cursor = number
	if !stretch || l.chosen.anchor < 0 {
		l.chosen.anchor = number
	}
	l.showDetail()
	l.redraw()
}

// maxDetail is the most characters of a line that are shown below the list.
const maxDetail = 4000

// detailHeight is the height of the part that shows a line in full, in pixels. A text that is higher scrolls.
const detailHeight = 96

func (l *Log) showDetail() {
	l.detail.RemoveAll()
	row := l.list.row(l.chosen.cursor)
	if row < 0 || l.chosen.several() {
		return
	}
	line := l.list.at(row)
	label := kit.NewSelectable(kit.Beginning(plain(line.Text), maxDetail),
		kit.TextStyle{Size: theme.SizeSmall, Mono: true})
	word := kit.NewText(line.word(), kit.TextStyle{Size: theme.SizeSmall, Bold: true, Color: line.wordColor()})
	when := kit.NewText(kit.Precise(line.Time),
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	copies := kit.NewButton(lang.L("Copy"), widget.LowImportance, func() { l.program.Copy(line.Text) })
	closes := kit.NewIconButton(base.CancelIcon(), lang.L("Close"), func() {
		l.chosen = nothing()
		l.detail.RemoveAll()
		l.redraw()
	})
	head := kit.Row(kit.Gap, word, kit.Rest(when), copies, closes)
	scroll := container.NewVScroll(label)
	scroll.SetMinSize(fyne.NewSize(1, detailHeight))
	box := kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
		kit.Inset(kit.Column(0, head, scroll), kit.GapTight, kit.GapWide))
	l.detail.Add(box)
}

// plain replaces characters that could change how a line looks, such as control characters and those that turn the
// direction of writing.
func plain(text string) string {
	return visible.Map(text, func(rune) string { return " " })
}

// shortcut handles Ctrl+C and Ctrl+A.
func (l *Log) shortcut(shortcut fyne.Shortcut) bool {
	switch shortcut.(type) {
	case *fyne.ShortcutCopy:
		if !l.chosen.several() {
			if row := l.list.row(l.chosen.cursor); row >= 0 {
				l.program.Copy(l.list.text(row, row+1))
				return true
			}
		}
		l.copy()
	case *fyne.ShortcutSelectAll:
		if rows := l.list.rows(); rows > 0 {
			l.chosen = selection{l.list.at(0).number, l.list.at(rows - 1).number}
			l.detail.RemoveAll()
			l.redraw()
		}
	default:
		return false
	}
	return true
}

// copy copies the selected lines, or all shown lines if fewer than two are selected.
func (l *Log) copy() {
	from, to := l.chosen.ends()
	if from, to = l.list.row(from), l.list.row(to); from >= 0 && to > from {
		l.program.Copy(l.list.text(from, to+1))
		return
	}
	l.program.Copy(l.list.text(0, l.list.rows()))
}

func (l *Log) save() {
	l.program.SaveAs(fileName(l.view.Server), []byte(l.list.text(0, l.list.rows())))
}

// fileName makes a file name from the name of a server.
func fileName(server string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, server)
	if short := []rune(name); len(short) > 60 {
		name = string(short[:60])
	}
	if strings.Trim(name, "-") == "" {
		name = "server"
	}
	return name + "-log.txt"
}

// clear clears the tab. The log that the engine keeps is not changed.
func (l *Log) clear() {
	l.Set(nil)
	l.cleared = true
	l.showEmpty()
}
