package tools

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Tab draws a [View]. Call its methods only on the goroutine of the window.
type Tab struct {
	program Program
	view    View // its Filters are as the user wants them, even before they are written
	reader  reader
	writing int    // number of edits of the file that have not ended
	failed  string // why the last edit failed

	stage   *kit.Stage
	listing *listing

	open   string // the tool whose page is shown; empty for the list
	trying bool   // the page to try the tool is shown
	direct bool   // the page to try the tool was opened from the list
	looks  bool   // the page with the changes is shown
	page   *changesPage
	detail *detail
	try    *tryit.Page
}

// New returns an empty tab. Apply fills it.
func New(program Program) *Tab {
	t := &Tab{program: program, reader: newReader(), stage: kit.NewStage()}
	t.listing = newListing(t)
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
		t.reader.forget()
		t.failed = ""
		if t.listing.search.Text != "" {
			t.view = view
			t.listing.search.SetText("")
		}
	}
	if t.writing > 0 {
		view.Filters = t.view.Filters
	}
	t.view = view
	t.reader.learn(func() View { return t.view }, t.program.Do)
	t.looks = t.looks && (view.Changes != nil || len(view.Tools) == 0) // without tools, their changes are not known yet
	if t.open != "" && t.find(t.open) < 0 && len(view.Tools) > 0 {
		t.open, t.trying = "", false
	}
	t.show()
}

// show draws the view: the list, the page of a tool or of the changes, or why there is nothing to list.
func (t *Tab) show() {
	t.listing.fill() // before drawing, since old rows may be of tools that the view does not have
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
		t.detail.show(t.view, tool, t.reader.readSchema(tool))
		content = t.detail.page
	case len(t.view.Tools) == 0 &&
		(t.view.Status.State != status.Connected || t.view.Status.AllTools > 0 || len(t.view.unknown()) == 0):
		content, instead = newInstead(t.view, t.program), true
	default:
		content = t.listing.root
	}
	t.listing.showBanner()
	if instead {
		if page, ok := content.(*kit.Page); t.stage.ShowOnce(content) && ok {
			page.Arrange()
		}
	} else {
		t.stage.Show(content)
	}
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
	kit.Focus(t.listing.list)
}

func (t *Tab) decide(changes []pin.Change, approved bool) {
	t.program.Decide(t.view.Target(), changes, approved)
}

func (t *Tab) trust() { t.program.Edit(t.view.trustOps(), func(error) {}) }

// find returns the index of a tool in the view, or -1.
func (t *Tab) find(name string) int {
	return slices.IndexFunc(t.view.Tools, func(tool status.Tool) bool { return tool.Name == name })
}

// offer shows a tool to clients, or hides it.
func (t *Tab) offer(tool string, on bool) {
	if t.view.offers(tool) != on {
		t.write(t.view.offer(tool, on))
	}
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

// Continue makes t show what the earlier tab showed, including the search and the typed arguments, but not the page
// with the changes.
func (t *Tab) Continue(before *Tab) {
	if before.view.Server == "" {
		return
	}
	t.Apply(before.view)
	t.listing.search.SetText(before.listing.search.Text)
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
	kit.Focus(t.listing.list)
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
	if t.stage.Shown() == t.listing.root {
		kit.Focus(t.listing.list)
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
	if t.stage.Shown() != t.listing.root {
		return false
	}
	canvas.Focus(t.listing.search)
	return true
}

// Close ends the calls that are in progress and waits for the goroutines of the tab.
func (t *Tab) Close() {
	t.try.Close()
	t.reader.wg.Wait()
}
