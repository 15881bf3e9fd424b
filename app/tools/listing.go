package tools

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// listing is the list of the tools, with the search and the buttons above it.
type listing struct {
	tab     *Tab
	rows    []entry
	root    fyne.CanvasObject
	search  *kit.Input
	count   *kit.Text
	problem *kit.Lines
	banner  *fyne.Container // says that tools have changed
	told    string          // the text of the banner
	all     *kit.Button
	none    *kit.Button
	list    *kit.List
	nothing *kit.Text // says that no tool matches the search
}

// entry is a row of the list. tool is an index into the tools of the view, or -1 for a name that the server has no
// tool for.
type entry struct {
	tool int
	name string
}

func newListing(tab *Tab) *listing {
	l := &listing{tab: tab}
	l.search = kit.NewSearch(lang.L("Search"), func(string) { l.fill() })
	l.count = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	l.all = kit.NewButton(lang.L("Offer all"), widget.LowImportance, func() { l.offerShown(true) })
	l.none = kit.NewButton(lang.L("Offer none"), widget.LowImportance, func() { l.offerShown(false) })
	l.problem = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	l.banner = container.NewStack()
	l.banner.Hide()
	l.list = kit.NewList(func() int { return len(l.rows) }, newRow, l.fillRow)
	l.list.HideSeparators = false
	l.list.OnChosen = func(id int) {
		l.list.UnselectAll()
		if id < len(l.rows) && l.rows[id].tool >= 0 {
			tab.Open(l.rows[id].name)
			kit.Focus(tab.detail.try)
		}
	}
	l.nothing = kit.NewText(lang.L("Nothing matches"),
		kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter})

	head := kit.Inset(kit.Column(kit.Gap, l.banner, l.search, kit.Row(0, kit.Rest(l.count), l.all, l.none), l.problem),
		kit.GapWide, kit.GapEdge)
	card := kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius},
		kit.Inset(container.NewStack(l.list, kit.Column(0, kit.NewGap(0, kit.GapEdge), l.nothing)), kit.GapTight,
			kit.GapTight))
	l.root = kit.Column(0, head, kit.Rest(kit.InsetSides(card, 0, kit.GapBlock, kit.GapEdge, kit.GapEdge)))
	return l
}

// showBanner shows or hides the note that tools have changed.
func (l *listing) showBanner() {
	told := ""
	if l.tab.view.Changes != nil {
		told = l.tab.view.Changes.summary()
	}
	if told == l.told {
		return
	}
	l.told = told
	l.banner.RemoveAll()
	if told != "" {
		l.banner.Add(newBanner(l.tab.view.Changes, l.tab.ShowChanges))
	}
	kit.SetVisible(l.banner, told != "")
	l.tab.stage.Root.Refresh()
}

// fill lists the tools that match the search, and updates the controls above the list.
func (l *listing) fill() {
	view := l.tab.view
	words := strings.Fields(strings.ToLower(l.search.Text))
	l.rows = l.rows[:0]
	// Names without a tool come first, because nobody would find them below a thousand tools.
	for _, name := range view.unknown() {
		if containsAll(strings.ToLower(name), words) {
			l.rows = append(l.rows, entry{-1, name})
		}
	}
	for i, tool := range view.Tools {
		if len(words) == 0 || l.matches(tool, words) {
			l.rows = append(l.rows, entry{i, tool.Name})
		}
	}
	kit.SetVisible(l.nothing, len(l.rows) == 0)
	l.count.Set(l.counts())
	canAll, canNone := view.Filters != nil, view.offered() > 0 || len(view.Filters) > 0
	if len(words) > 0 {
		canAll, canNone = false, false
		for _, line := range l.rows {
			on := view.offers(line.name)
			canAll, canNone = canAll || !on, canNone || on
		}
	}
	kit.SetEnabled(l.all, view.Locked == "" && canAll)
	kit.SetEnabled(l.none, view.Locked == "" && canNone)
	l.say(cmp.Or(view.Locked, l.tab.failed))
	l.list.Refresh()
}

// counts says how many tools are offered.
func (l *listing) counts() string {
	view := l.tab.view
	return lang.L("AI apps see {{.Some}} of its {{.All}} tools.",
		map[string]any{"Some": view.offered(), "All": len(view.Tools)})
}

func (l *listing) matches(tool status.Tool, words []string) bool {
	if containsAll(strings.ToLower(tool.Name), words) {
		return true
	}
	d := l.tab.reader.define(tool).definition
	return containsAll(strings.ToLower(tool.Name+" "+d.Title+" "+d.Description), words)
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (l *listing) fillRow(id int, r *row) {
	if id >= len(l.rows) {
		return // the list may still ask for an old row
	}
	view, line := l.tab.view, l.rows[id]
	locked := view.Locked != ""
	if line.tool < 0 {
		r.showUnknown(line.name, locked, func() { l.tab.write(l.tab.view.without(line.name)) })
		return
	}
	tool := view.Tools[line.tool]
	f := l.tab.reader.readSchema(tool)
	r.showTool(tool, f, view.offers(tool.Name), locked, len(view.warnings(tool, f)) > 0,
		func(on bool) { l.tab.offer(tool.Name, on) }, func() { l.tab.tryTool(tool.Name, true) })
}

// offerShown shows the listed tools to clients, or hides them. During a search, only the matching tools are listed.
func (l *listing) offerShown(on bool) {
	if strings.TrimSpace(l.search.Text) != "" {
		view := l.tab.view
		for _, line := range l.rows {
			view.Filters = view.offer(line.name, on)
		}
		l.tab.write(view.Filters)
		return
	}
	if on {
		l.tab.write(nil)
		return
	}
	l.tab.write([]string{})
}

// say shows a problem above the list. An empty text removes it.
func (l *listing) say(text string) {
	before := l.problem.Text()
	if l.problem.Set(text); l.problem.Text() != before {
		l.tab.stage.Root.Refresh()
	}
}
