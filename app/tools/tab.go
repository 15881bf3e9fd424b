package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Tab draws a [View]. Call its methods only on the goroutine of the window.
type Tab struct {
	program Program
	view    View              // its Filters are as the user wants them, even before they are written
	known   map[string]*facts // by the name of the tool
	reading bool              // another goroutine reads the definitions of many tools
	wg      background.Group
	rows    []entry
	writing int    // number of edits of the file that have not ended
	failed  string // why the last edit failed

	stage   *kit.Stage
	search  *kit.Input
	count   *kit.Text
	problem *kit.Lines
	banner  *fyne.Container // says that tools have changed
	told    string          // the text of the banner
	all     *kit.Button
	none    *kit.Button
	list    *kit.List
	nothing *kit.Text // says that no tool matches the search
	listing fyne.CanvasObject

	open   string // the tool whose page is shown; empty for the list
	trying bool   // the page to try the tool is shown
	direct bool   // the page to try the tool was opened from the list
	looks  bool   // the page with the changes is shown
	page   *changesPage
	detail *detail
	try    *tryit.Page
}

// entry is a row of the list. tool is an index into the tools of the view, or -1 for a name that the server has no
// tool for.
type entry struct {
	tool int
	name string
}

// New returns an empty tab. Apply fills it.
func New(program Program) *Tab {
	t := &Tab{program: program, known: map[string]*facts{}, stage: kit.NewStage()}
	t.search = kit.NewSearch(lang.L("Search"), func(string) { t.fill() })
	t.count = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	t.all = kit.NewButton(lang.L("Offer all"), widget.LowImportance, func() { t.offerShown(true) })
	t.none = kit.NewButton(lang.L("Offer none"), widget.LowImportance, func() { t.offerShown(false) })
	t.problem = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	t.banner = container.NewStack()
	t.banner.Hide()
	t.list = kit.NewList(func() int { return len(t.rows) }, newRow, t.fillRow)
	t.list.HideSeparators = false
	t.list.OnChosen = func(id int) {
		t.list.UnselectAll()
		if id < len(t.rows) && t.rows[id].tool >= 0 {
			t.Open(t.rows[id].name)
			kit.Focus(t.detail.try)
		}
	}
	t.nothing = kit.NewText(lang.L("Nothing matches"),
		kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter})

	head := kit.Inset(kit.Column(kit.Gap, t.banner, t.search, kit.Row(0, kit.Rest(t.count), t.all, t.none), t.problem),
		kit.GapWide, kit.GapEdge)
	card := kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius},
		kit.Inset(container.NewStack(t.list, kit.Column(0, kit.NewGap(0, kit.GapEdge), t.nothing)), kit.GapTight,
			kit.GapTight))
	t.listing = kit.Column(0, head, kit.Rest(kit.InsetSides(card, 0, kit.GapBlock, kit.GapEdge, kit.GapEdge)))
	t.detail = newDetail(t)
	t.try = tryit.New(ofTrying{program, t})
	return t
}

// ofTrying carries out what the user does on the page to try a tool.
type ofTrying struct {
	Program
	tab *Tab
}

func (p ofTrying) Back()          { p.tab.back() }
func (p ofTrying) Now() time.Time { return time.Now() }

func (p ofTrying) Run(ctx context.Context, view tryit.View, arguments json.RawMessage,
	progress func(done, total float64, message string), done func(json.RawMessage, error)) {
	p.Program.Run(ctx, edit.Target{Toolbox: view.Toolbox, Server: view.Server}, view.Tool.Name, arguments, progress, done)
}

// Object returns what the window shows.
func (t *Tab) Object() fyne.CanvasObject { return t.stage.Root }

// Apply shows view. If the server is the same as before, the tab keeps the search, the open page and what was typed.
func (t *Tab) Apply(view View) {
	if t.view.Target() != view.Target() {
		t.open, t.trying, t.writing, t.looks = "", false, 0, false
		t.known = map[string]*facts{}
		t.failed = ""
		if t.search.Text != "" {
			t.view = view
			t.search.SetText("")
		}
	}
	if t.writing > 0 {
		view.Filters = t.view.Filters
	}
	t.view = view
	t.learn()
	t.looks = t.looks && (view.Changes != nil || len(view.Tools) == 0) // without tools, their changes are not known yet
	if t.open != "" && t.find(t.open) < 0 && len(view.Tools) > 0 {
		t.open, t.trying = "", false
	}
	t.show()
}

// show draws the view: the list, the page of a tool or of the changes, or why there is nothing to list.
func (t *Tab) show() {
	t.fill() // before drawing, since old rows may be of tools that the view does not have
	var content fyne.CanvasObject
	instead := false
	switch at := t.find(t.open); {
	case t.looks && t.view.Changes != nil && len(t.view.Tools) > 0:
		content, instead = t.changesPage().Page, true
	case t.open != "" && at >= 0 && t.trying:
		tool := t.view.Tools[at]
		t.try.Apply(tryit.View{Toolbox: t.view.Toolbox, Server: t.view.Server, Tool: tool, Blocked: t.view.blocked()})
		content = t.try.Object()
	case t.open != "" && at >= 0:
		tool := t.view.Tools[at]
		t.detail.show(t.view, tool, t.readSchema(tool))
		content = t.detail.page
	case len(t.view.Tools) == 0 &&
		(t.view.Status.State != status.Connected || t.view.Status.AllTools > 0 || len(t.view.unknown()) == 0):
		content, instead = newInstead(t.view, t.program), true
	default:
		content = t.listing
	}
	t.showBanner()
	if instead {
		if page, ok := content.(*kit.Page); t.stage.ShowOnce(content) && ok {
			page.Arrange()
		}
	} else {
		t.stage.Show(content)
	}
}

// showBanner shows or hides the note that tools have changed.
func (t *Tab) showBanner() {
	told := ""
	if t.view.Changes != nil {
		told = t.view.Changes.summary()
	}
	if told == t.told {
		return
	}
	t.told = told
	t.banner.RemoveAll()
	if told != "" {
		t.banner.Add(newBanner(t.view.Changes, t.ShowChanges))
	}
	kit.SetVisible(t.banner, told != "")
	t.stage.Root.Refresh()
}

// ShowChanges shows the page with the changes, if there are any.
func (t *Tab) ShowChanges() {
	t.looks = true
	if t.view.Changes == nil || len(t.view.Tools) == 0 {
		return // Apply shows the page once the changes are known
	}
	t.show()
	kit.Focus(t.page.back)
}

// changesPage returns the page with the changes. It makes a new page only if the changes are different.
func (t *Tab) changesPage() *changesPage {
	if t.page == nil || t.page.drawn != t.view.Changes {
		t.page = newChanges(t.view.Changes, t)
	}
	kit.SetEnabled(t.page.trust, t.view.Locked == "")
	return t.page
}

// leaveChanges goes from the page with the changes to the list.
func (t *Tab) leaveChanges() {
	t.looks = false
	t.show()
	kit.Focus(t.list)
}

func (t *Tab) decide(changes []pin.Change, approved bool) {
	t.program.Decide(t.view.Target(), changes, approved)
}

func (t *Tab) trust() { t.program.Edit(t.view.trustOps(), func(error) {}) }

// find returns the index of a tool in the view, or -1.
func (t *Tab) find(name string) int {
	return slices.IndexFunc(t.view.Tools, func(tool status.Tool) bool { return tool.Name == name })
}

// fill lists the tools that match the search, and updates the controls above the list.
func (t *Tab) fill() {
	words := strings.Fields(strings.ToLower(t.search.Text))
	t.rows = t.rows[:0]
	// Names without a tool come first, because nobody would find them below a thousand tools.
	for _, name := range t.view.unknown() {
		if containsAll(strings.ToLower(name), words) {
			t.rows = append(t.rows, entry{-1, name})
		}
	}
	for i, tool := range t.view.Tools {
		if len(words) == 0 || t.matches(tool, words) {
			t.rows = append(t.rows, entry{i, tool.Name})
		}
	}
	kit.SetVisible(t.nothing, len(t.rows) == 0)
	t.count.Set(t.counts())
	canAll, canNone := t.view.Filters != nil, t.view.offered() > 0 || len(t.view.Filters) > 0
	if len(words) > 0 {
		canAll, canNone = false, false
		for _, line := range t.rows {
			on := t.view.offers(line.name)
			canAll, canNone = canAll || !on, canNone || on
		}
	}
	kit.SetEnabled(t.all, t.view.Locked == "" && canAll)
	kit.SetEnabled(t.none, t.view.Locked == "" && canNone)
	t.say(cmp.Or(t.view.Locked, t.failed))
	t.list.Refresh()
}

// counts says how many tools are offered.
func (t *Tab) counts() string {
	return lang.L("AI apps see {{.Some}} of its {{.All}} tools.",
		map[string]any{"Some": t.view.offered(), "All": len(t.view.Tools)})
}

func (t *Tab) matches(tool status.Tool, words []string) bool {
	if containsAll(strings.ToLower(tool.Name), words) {
		return true
	}
	d := t.define(tool).definition
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

func (t *Tab) fillRow(id int, r *row) {
	if id >= len(t.rows) {
		return // the list may still ask for an old row
	}
	line, locked := t.rows[id], t.view.Locked != ""
	if line.tool < 0 {
		r.showUnknown(line.name, locked, func() { t.write(t.view.without(line.name)) })
		return
	}
	tool := t.view.Tools[line.tool]
	f := t.readSchema(tool)
	r.showTool(tool, f, t.view.offers(tool.Name), locked, len(t.view.warnings(tool, f)) > 0,
		func(on bool) { t.offer(tool.Name, on) }, func() { t.tryTool(tool.Name, true) })
}

// offer shows a tool to clients, or hides it.
func (t *Tab) offer(tool string, on bool) {
	if t.view.offers(tool) != on {
		t.write(t.view.offer(tool, on))
	}
}

// offerShown shows the listed tools to clients, or hides them. During a search, only the matching tools are listed.
func (t *Tab) offerShown(on bool) {
	if strings.TrimSpace(t.search.Text) != "" {
		view := t.view
		for _, line := range t.rows {
			view.Filters = view.offer(line.name, on)
		}
		t.write(view.Filters)
		return
	}
	if on {
		t.write(nil)
		return
	}
	t.write([]string{})
}

// write changes the filters in the file. The tab shows the new filters at once, and the old ones again if the edit
// fails.
func (t *Tab) write(filters []string) {
	target, before := t.view.Target(), t.view.Filters
	ops := t.view.ops(filters)
	t.view.Filters = filters
	t.writing++
	t.failed = ""
	t.show()
	t.program.Edit(ops, func(err error) {
		if t.view.Target() != target {
			return
		}
		t.writing = max(0, t.writing-1)
		if err != nil {
			t.view.Filters = before
			t.failed = lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.SayError(err)})
			t.show()
		}
	})
}

// say shows a problem above the list. An empty text removes it.
func (t *Tab) say(text string) {
	before := t.problem.Text()
	if t.problem.Set(text); t.problem.Text() != before {
		t.stage.Root.Refresh()
	}
}

// Continue makes t show what the earlier tab showed, including the search and the typed arguments, but not the page
// with the changes.
func (t *Tab) Continue(before *Tab) {
	if before.view.Server == "" {
		return
	}
	t.Apply(before.view)
	t.search.SetText(before.search.Text)
	t.open, t.trying, t.direct = before.open, before.trying, before.direct
	t.try.Continue(before.try)
	t.show()
}

// Running reports whether a call to try a tool is in progress.
func (t *Tab) Running() bool { return t.try.Running() }

// Open shows the page of a tool.
func (t *Tab) Open(tool string) {
	t.open, t.trying, t.looks = tool, false, false
	t.show()
}

// Try shows the page on which a tool is tried.
func (t *Tab) Try(tool string) { t.tryTool(tool, false) }

// ShowAll goes back to the list.
func (t *Tab) ShowAll() {
	if t.open == "" && !t.looks {
		return
	}
	t.open, t.trying, t.looks = "", false, false
	t.show()
	kit.Focus(t.list)
}

// tryTool shows the page to try a tool. direct says that the page was opened from the list.
func (t *Tab) tryTool(tool string, direct bool) {
	t.open, t.trying, t.direct = tool, true, direct
	t.show()
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(t.Object()); canvas != nil {
		t.try.Focus(canvas)
	}
}

// back goes back to where the current page was opened from.
func (t *Tab) back() {
	if t.trying && !t.direct {
		t.trying = false
	} else {
		t.open, t.trying = "", false
	}
	t.show()
	if t.stage.Shown() == t.listing {
		kit.Focus(t.list)
	} else if t.open != "" {
		kit.Focus(t.detail.try)
	}
}

// Run runs the tool if the page to try it is shown. The window calls Run on Ctrl+Enter.
func (t *Tab) Run() {
	if t.open != "" && t.trying {
		t.try.Run()
	}
}

// FocusSearch focuses the search field. It returns false if the field is not visible.
func (t *Tab) FocusSearch(canvas fyne.Canvas) bool {
	if t.stage.Shown() != t.listing {
		return false
	}
	canvas.Focus(t.search)
	return true
}

// Close ends the calls that are in progress and waits for the goroutines of the tab.
func (t *Tab) Close() {
	t.try.Close()
	t.wg.Wait()
}
