package activity

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Program does what the user asks for on this screen. Its methods are called on the goroutine of the window and must not
// block.
type Program interface {
	// CloseToolbox closes a toolbox of one engine. It calls done on the goroutine of the window.
	CloseToolbox(engine ipc.EngineID, toolbox string, done func(error))

	// HasLogs reports whether engines keep logs. ShowLog shows the log of an engine.
	HasLogs() bool
	ShowLog(engine model.Engine)

	// Export lets the user choose where to save calls, and saves them as [Encode] writes them.
	Export(format Format, calls []model.Call)

	Copy(text string)         // puts text on the clipboard
	ShowChanges(model.Choice) // shows the changes to a server's tools
	ShowServer(model.Choice)  // goes to a server on the screen of the toolboxes
}

// Format is a kind of file that calls can be exported as.
type Format string

// The formats of [Encode]. Each is also a file name extension.
const (
	CSV  Format = "csv"
	JSON Format = "json"
)

// Screen draws a View. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	view    View
	feed    feed
	kept    *model.OpenedCalls
	shown   []*model.Call
	now     time.Time

	root    *fyne.Container
	engines *engines
	changed *changed
	bar     *bar // the controls above the table
	count   *kit.Text
	table   *table
	detail  *detail
	beside  *fyne.Container
	head    *fyne.Container   // the title and the number of calls
	full    fyne.CanvasObject // the controls and the calls; hidden if there are no calls
	empty   *fyne.Container   // shown if there are no calls
	nothing fyne.CanvasObject // shown if no call passes the filter
}

// New returns a screen. It is empty until Apply is called. kept is what was chosen before the screen was made again, or
// zero.
func New(program Program, kept *model.OpenedCalls) *Screen {
	s := &Screen{program: program, now: time.Now(), kept: kept}
	s.engines = newEngines(program)
	s.bar = newBar(s)
	s.count = kit.NewText("", kit.Small())

	s.table = newTable(kept, s.chosen)
	s.detail = newDetail(program, s.closeDetail)
	s.detail.root.Hide()
	s.nothing = container.NewVBox(kit.NewGap(0, 2*kit.GapEdge),
		kit.NewText(lang.L("Nothing matches"), kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		container.NewCenter(kit.NewButton(lang.L("Show all"), widget.LowImportance, s.showAll)))
	s.empty = container.NewStack()
	list := kit.NewFrame(kit.Inset(container.NewStack(s.table.root, s.nothing), kit.GapHair, kit.GapHair))
	s.beside = newBeside(list, s.detail.root)

	title := kit.NewText(lang.L("Activity"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	s.head = kit.Row(kit.GapWide, kit.Rest(title), s.count)
	s.full = kit.InsetSides(kit.Column(kit.GapWide, s.bar.root, kit.Rest(s.beside)), 0, kit.GapBlock, kit.GapEdge,
		kit.GapEdge)
	s.changed = newChanged(program)
	engines := kit.InsetSides(kit.Column(0, s.engines.root, s.changed.root), 0, kit.Gap, 0, 0)
	column := kit.Column(0, kit.Inset(s.head, kit.GapBlock, kit.GapEdge), engines,
		kit.Rest(container.NewStack(s.full, s.empty)))
	s.root = kit.Arranged(column.MinSize, func(size fyne.Size) {
		// in a narrow window the details hide the table and the engines
		kit.SetVisible(engines, !s.detail.root.Visible() || size.Width-2*kit.GapEdge >= sideBySide)
		column.Resize(size)
		column.Layout.Layout(column.Objects, size)
	}, column)
	s.engines.resized = s.root.Refresh // lays out the screen again
	s.bar.label(s.feed.paused, 0)
	return s
}

// Scrolled returns how far the list of calls is scrolled, in pixels.
func (s *Screen) Scrolled() float32 { return s.table.body.scroll.Offset.Y }

// Scroll scrolls the list of calls.
func (s *Screen) Scroll(y float32) { s.table.body.scrollTo(y) }

// Object returns the content of the screen.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. The selection, the filter and the pause are kept.
func (s *Screen) Apply(view View) {
	s.view = view
	if !view.Now.IsZero() {
		s.now = view.Now
	}
	s.engines.show(view)
	if s.changed.show(view.Changed) {
		s.root.Refresh()
	}
	s.feed.take(view.Calls)
	none := len(view.Calls) == 0
	if none != s.empty.Visible() || len(s.empty.Objects) == 0 {
		s.empty.RemoveAll()
		s.empty.Add(newEmpty())
	}
	kit.SetVisible(s.empty, none)
	kit.SetVisible(s.full, !none)
	s.fill()
}

// newEmpty explains what the screen will show.
func newEmpty() fyne.CanvasObject {
	return kit.NewEmpty(kit.WidthNote, base.NewColoredResource(base.HistoryIcon(), theme.ColorMuted),
		lang.L("No calls yet"),
		lang.L("Ask your AI app for something to see it work."))
}

// Tick updates the durations of running calls. The window calls it about once a second while the screen is visible.
func (s *Screen) Tick(now time.Time) {
	s.now = now
	if slices.ContainsFunc(s.shown, func(call *model.Call) bool { return call.Outcome == status.Running }) {
		s.table.body.tick(now)
		s.detail.tick(now)
	}
}

// FocusSearch puts the cursor into the filter field, if it is visible.
func (s *Screen) FocusSearch(canvas fyne.Canvas) {
	if s.full.Visible() {
		canvas.Focus(s.bar.search)
	}
}

// fill shows the calls that pass the filter.
func (s *Screen) fill() {
	var waiting int
	s.shown, waiting = s.feed.shown(filter(s.kept.Filter))
	s.table.body.show(entriesOf(s.shown, s.kept.Filter != (model.CallFilter{})), s.now)
	kit.SetVisible(s.nothing, len(s.shown) == 0)
	kit.SetVisible(s.table.root, len(s.shown) > 0)
	s.follow()
	s.tell(waiting)
}

// follow updates the details of the selected call, which may have ended since they were shown.
func (s *Screen) follow() {
	selected := s.kept.Call
	if selected == nil || len(s.feed.all) == 0 {
		return
	}
	if i := slices.IndexFunc(s.feed.all, func(call model.Call) bool { return call.Key() == *selected }); i >= 0 {
		if !s.detail.root.Visible() { // the screen was made again
			s.chosen(&s.feed.all[i])
		}
		s.detail.show(&s.feed.all[i], s.now)
		return
	}
	s.table.body.choose(noRow) // The call is too old and was dropped.
}

// tell shows how many calls there are, and how many of them pass the filter. waiting is how many calls the pause holds
// back.
func (s *Screen) tell(waiting int) {
	words := map[string]any{"Count": len(s.feed.all), "Shown": len(s.shown)}
	text := lang.N("{{.Count}} calls", len(s.feed.all), words)
	switch {
	case len(s.feed.all) == 0:
		text = ""
	case s.kept.Filter != (model.CallFilter{}):
		text = lang.N("{{.Shown}} of {{.Count}} calls", len(s.feed.all), words)
	case s.view.Dropped > 0:
		text = lang.N("The newest {{.Count}} calls", len(s.feed.all), words)
	}
	if text != s.count.Text() {
		s.count.Set(text)
		s.head.Refresh()
	}
	s.bar.label(s.feed.paused, waiting)
}

func (s *Screen) setPaused(paused bool) {
	s.feed.pause(paused)
	s.fill()
	if !paused {
		s.table.body.scrollTo(0)
	}
	s.root.Refresh()
}

// showAll clears the filter.
func (s *Screen) showAll() {
	s.kept.Filter = model.CallFilter{}
	s.bar.follow(s.kept.Filter)
	s.fill()
}

// chosen shows the details of a call, or closes them if call is nil.
func (s *Screen) chosen(call *model.Call) {
	kit.SetVisible(s.detail.root, call != nil)
	if call == nil {
		s.detail.call = nil
	}
	s.root.Refresh() // lays out the screen again
	if call != nil {
		s.detail.show(call, s.now)
	}
}

// closeDetail clears the selection and gives the focus back to the table.
func (s *Screen) closeDetail() {
	s.table.body.choose(noRow)
	kit.Focus(s.table.body)
}

// Escape closes the details and reports whether they were open.
func (s *Screen) Escape() bool {
	open := s.detail.root.Visible()
	if open {
		s.closeDetail()
	}
	return open
}

// showExport opens the menu of formats. The file will contain the calls that the table shows.
func (s *Screen) showExport() {
	item := func(text string, format Format) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() {
			calls := make([]model.Call, len(s.shown))
			for i, call := range s.shown {
				calls[i] = *call
			}
			s.program.Export(format, calls)
		})
	}
	s.bar.export.ShowMenu(fyne.NewMenu("", item(lang.L("As a table (CSV)"), CSV), item(lang.L("As JSON"), JSON)))
}
