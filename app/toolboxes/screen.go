package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Screen draws a View and lets the user change what it shows. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	view    View
	rows    []Row
	kept    *model.OpenedToolboxes // the selection, and what is folded and searched for
	awaited awaited

	shifting shifting

	shown model.Choice // the last argument of ShowServer

	root    *fyne.Container
	split   *kit.Split
	search  *kit.Input
	add     *kit.Button
	unused  *kit.Button // searches for unused servers; hidden if there are none
	tree    *tree
	nothing *fyne.Container // shown if the search finds nothing
	*trail
	instead *fyne.Container // replaces the split if there are no toolboxes
}

// leadWidth is the initial width of the left side, in pixels.
const leadWidth = 296

// New returns a screen, which is empty until Apply is called. server is the content of its right side while that shows
// a server. kept is what another screen has opened before, or zero.
func New(program Program, server fyne.CanvasObject, kept *model.OpenedToolboxes) *Screen {
	s := &Screen{program: program, kept: kept, view: View{Findings: &model.Findings{}}}
	if kept.Folded == nil {
		kept.Folded = map[string]bool{}
	}
	s.tree = newTree(s)
	s.trail = newTrail(s, server)
	s.split = kit.NewSplit(kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, s.newLead()), s.trail.side, leadWidth)
	s.instead = container.NewStack()
	s.root = container.NewStack(s.split, s.instead)
	return s
}

// newLead returns the left side: the search, the buttons and the tree.
func (s *Screen) newLead() fyne.CanvasObject {
	s.search = kit.NewSearch(lang.L("Search"), func(text string) {
		s.kept.Search, s.kept.Unused = text, text == unusedWords()
		s.fill()
		if text == "" { // the selected row may be far down among all rows
			s.tree.reveal(s.tree.rowOf(s.kept.Selected))
		}
	})
	s.search.Follow(s.kept.Search)
	if s.kept.Unused {
		s.search.Follow(unusedWords())
	}
	s.search.OnEscape = func() {
		s.search.SetText("")
		s.tree.focus()
	}
	s.search.OnArrow(func(int) { s.tree.focus() })
	s.search.OnSubmitted = func(string) { s.firstFound() }

	toolbox := kit.NewButton(lang.L("Toolbox"), widget.MediumImportance, s.NewToolbox)
	toolbox.SetIcon(base.ContentAddIcon())
	s.add = kit.NewButton(lang.L("Add server"), widget.HighImportance, func() { s.program.Add(s.kept.Selected.Toolbox) })
	s.add.SetIcon(base.ContentAddIcon())
	buttons := container.NewGridWithColumns(2, toolbox, s.add)
	s.unused = kit.NewButton("", widget.LowImportance, s.ShowUnused)
	s.unused.Hide()
	s.nothing = kit.Column(kit.Gap,
		kit.NewGap(0, kit.GapBlock),
		kit.NewText(lang.L("Nothing matches"), kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		container.NewCenter(kit.NewButton(lang.L("Show all"), widget.LowImportance, s.search.OnEscape)),
	)
	top := kit.Inset(kit.Column(kit.Gap, s.search, buttons, s.unused), kit.GapWide, kit.GapWide)
	return kit.Column(0, top, kit.Inset(widget.NewSeparator(), 0, kit.GapWide),
		kit.Rest(kit.Inset(container.NewStack(s.tree.scroll, s.nothing), kit.Gap, kit.Gap)))
}

// ShowUnused searches for unused servers.
func (s *Screen) ShowUnused() { s.search.SetText(unusedWords()) }

// offerUnused shows the button that searches for unused servers, if there are any.
func (s *Screen) offerUnused() {
	count := s.view.unused()
	if count > 0 {
		s.unused.SetText(lang.N("{{.Count}} not used for 30 days", count, map[string]any{"Count": count}))
	}
	if was := s.unused.Visible(); was != (count > 0) {
		kit.SetVisible(s.unused, count > 0)
		kit.Relayout(s.root)
	}
}

// Object returns the content of the screen.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// FocusSearch puts the cursor into the search field, if it is visible.
func (s *Screen) FocusSearch(canvas fyne.Canvas) {
	if s.split.Visible() {
		canvas.Focus(s.search)
		s.search.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// Scrolled returns how far the list is scrolled, in pixels.
func (s *Screen) Scrolled() float32 { return s.tree.scroll.Offset.Y }

// Scroll scrolls the list.
func (s *Screen) Scroll(y float32) { s.tree.scrollTo(y) }

// Selected returns the selected toolbox or server, or the zero Choice if nothing is selected.
func (s *Screen) Selected() model.Choice { return s.kept.Selected }

// Apply shows another View. The selection, the search, folded toolboxes and text being typed are kept, even for things
// with a new name.
func (s *Screen) Apply(view View) {
	before, was := s.view, s.kept.Selected
	s.view = view
	s.refold(before)
	s.tellRenamed(before)
	came := s.reselect(before)
	s.applyInstead(before)
	s.strip.show(view)
	s.offerUnused()
	s.fill()
	s.relayout()
	s.forsakeHidden()
	if came && s.kept.Selected != was {
		s.tree.reveal(s.tree.rowOf(s.kept.Selected))
		s.page.reveal(s.kept.Selected.Server)
	}
	if s.awaited.name != (model.Choice{}) && view.has(s.awaited.name) {
		next := s.awaited.name
		s.awaited.name = model.Choice{}
		s.rename(next, "")
	}
	s.askPurpose()
}

// forsakeHidden takes the focus from a control that another program has hidden by its change of the file. Otherwise
// the user would type into a field that is not visible.
func (s *Screen) forsakeHidden() {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(s.root); canvas != nil && canvas.Overlays().Top() == nil {
		kit.Forsake(canvas.Focused())
	}
}

// refold keeps renamed toolboxes folded.
func (s *Screen) refold(before View) {
	for toolbox := range s.kept.Folded {
		if now, ok := follow(before, s.view, model.Choice{Toolbox: toolbox}); ok && now.Toolbox != toolbox {
			delete(s.kept.Folded, toolbox)
			s.kept.Folded[now.Toolbox] = true
		}
	}
}

// tellRenamed calls Renamed for all servers that have a new name or are in another toolbox.
func (s *Screen) tellRenamed(before View) {
	if sameNames(before, s.view) {
		return // the usual case
	}
	for _, toolbox := range before.Toolboxes {
		for _, server := range toolbox.Servers {
			was := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			if now, ok := follow(before, s.view, was); ok && now != was {
				s.program.Renamed(was, now)
			}
		}
	}
}

// reselect makes the selection, the name being edited and the drag refer to the new View. It reports whether it
// selected something that has just appeared.
func (s *Screen) reselect(before View) (came bool) {
	naming := &s.tree.naming
	if naming.on && naming.choice.Toolbox != "" {
		if now, ok := follow(before, s.view, naming.choice); ok {
			naming.choice = now
		}
	}
	drag := &s.tree.drag
	if drag.on {
		if now, ok := follow(before, s.view, drag.what); ok {
			drag.what = now
		}
	}
	switch {
	case s.awaited.wanted != model.Choice{} && s.view.has(s.awaited.wanted):
		s.kept.Selected, s.awaited.wanted, s.awaited.lost = s.awaited.wanted, model.Choice{}, model.Choice{}
		delete(s.kept.Folded, s.foldedFor(s.kept.Selected))
		s.kept.Entered = s.kept.Entered && s.kept.Selected.Server != ""
		return true
	case s.awaited.lost != model.Choice{} && s.view.has(s.awaited.lost):
		s.kept.Selected, s.awaited.lost = s.awaited.lost, model.Choice{}
		return true
	default:
		now, ok := follow(before, s.view, s.kept.Selected)
		if !ok {
			if s.kept.Selected != (model.Choice{}) && s.awaited.lost == (model.Choice{}) {
				s.awaited.lost = s.kept.Selected
			}
			s.kept.Entered = false // Do not show the settings of another server instead.
		}
		s.kept.Selected = now
	}
	return false
}

// foldedFor returns the toolbox that must be unfolded to show a choice, or "".
func (s *Screen) foldedFor(choice model.Choice) string {
	if choice.Server == "" {
		return ""
	}
	return choice.Toolbox
}

// applyInstead shows the message that replaces the split if there are no toolboxes. It makes a new message only if the
// text has changed. A new message would take the focus from the buttons of the old one.
func (s *Screen) applyInstead(before View) {
	none := len(s.view.Toolboxes) == 0
	if none && (len(s.instead.Objects) == 0 || before.Broken != s.view.Broken || before.Gone != s.view.Gone ||
		before.Path != s.view.Path || !lookSame(before.Problems, s.view.Problems) || len(before.Toolboxes) > 0) {
		s.instead.RemoveAll()
		if s.view.Broken {
			s.instead.Add(s.newBroken(s.view))
		} else {
			s.instead.Add(s.newEmpty(s.view))
		}
	}
	kit.SetVisible(s.split, !none)
	kit.SetVisible(s.instead, none)
}

// fill shows the rows that the search leaves, and the selection.
func (s *Screen) fill() {
	s.rows = s.view.Rows(s.search.Text, s.kept.Folded)
	kit.SetVisible(s.nothing, len(s.rows) == 0 && s.search.Text != "")
	s.tree.show(s.view, s.rows, s.kept.Selected)
	s.showChoice(false)
}

// showChoice shows the selection on the right side. With reveal the page scrolls to the card.
func (s *Screen) showChoice(reveal bool) {
	t, server, ok := s.view.find(s.kept.Selected)
	open := ok && s.kept.Entered && server != noServer
	showing := model.Choice{}
	if open {
		showing = s.kept.Selected
		s.detail.show(s.kept.Selected)
	}
	if ok {
		if s.page.toolbox.Name != s.view.Toolboxes[t].Name && !s.renamedPage(s.view.Toolboxes[t].Name) {
			s.page.head.cancel()
		}
		if open {
			s.page.follow(s.view.Toolboxes[t], s.kept.Selected.Server) // it is drawn when it becomes visible again
		} else {
			s.page.show(s.view.Toolboxes[t], s.kept.Selected.Server, reveal)
		}
	}
	if open && showing != s.shown && !s.strip.forced {
		s.strip.unfolded = false // one has gone to a server; its page says what is wrong with it
		s.strip.Refresh()
	}
	// Hide the strip while settings are open, which show the problems of their server, and where the cards say the same.
	said := open || ok && s.view.onCards(s.view.Toolboxes[t])
	strip := s.view.Count() > 0 && (!said || s.view.Broken || s.strip.unfolded)
	s.trail.show(open, strip)
	if showing != s.shown {
		s.shown = showing
		s.program.ShowServer(showing)
	}
}

// renamedPage reports whether now is the new name of the toolbox on the page.
func (s *Screen) renamedPage(now string) bool {
	return s.page.toolbox.Name != "" && !s.view.has(model.Choice{Toolbox: s.page.toolbox.Name}) &&
		now == s.kept.Selected.Toolbox && s.awaited.lost == model.Choice{}
}

// Select shows a toolbox, or the settings of a server. It clears the search, which could hide them.
func (s *Screen) Select(choice model.Choice) {
	if s.search.Text != "" {
		s.search.SetText("") // also calls fill
	}
	if choice.Server != "" && s.kept.Folded[choice.Toolbox] {
		delete(s.kept.Folded, choice.Toolbox)
		s.fill()
	}
	s.pick(choice, toOpen)
	s.tree.reveal(s.tree.rowOf(choice))
}

// Focus gives the keyboard to the list, and so to what is selected.
func (s *Screen) Focus() { kit.Focus(s.tree) }

// ShowProblems unfolds the list of all problems.
func (s *Screen) ShowProblems() {
	if s.view.Count() > 0 && !s.strip.unfolded {
		s.strip.setUnfolded(true)
	}
}

// stripFolded lays out the right side after the problems were folded or unfolded.
func (s *Screen) stripFolded() {
	s.showChoice(false)
	s.relayout()
}

// Back goes from the settings of a server to its toolbox. It reports whether settings were open.
func (s *Screen) Back() bool {
	if !s.kept.Entered || s.kept.Selected.Server == "" {
		return false
	}
	s.program.Leave()
	s.kept.Entered = false
	s.showChoice(true)
	return true
}

// firstFound selects the first toolbox or server that the search has found.
func (s *Screen) firstFound() {
	if len(s.rows) == 0 {
		return
	}
	row := s.rows[0]
	if s.search.Text != "" && !row.Matched && len(s.rows) > 1 {
		row = s.rows[1] // The row of the toolbox is only there because of the server.
	}
	s.pick(s.view.at(row), toLook)
	s.tree.focus()
}

// Dropped handles files dropped on the window at a position of its canvas. It reports whether they were dropped on
// this screen.
func (s *Screen) Dropped(at fyne.Position, uris []fyne.URI) bool {
	if len(uris) == 0 || !inside(s.root, at) {
		return false
	}
	s.program.DropFiles(s.toolboxAt(at), uris)
	return true
}

// toolboxAt returns the toolbox that files dropped at a position belong to: outside the tree it is the selected one.
// It returns "" for none.
func (s *Screen) toolboxAt(at fyne.Position) string {
	if !s.split.Visible() {
		return ""
	}
	if inside(s.tree.scroll, at) {
		body := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.tree)
		if row := s.tree.rowAt(at.Y - body.Y); row != noRow {
			return s.view.Toolboxes[s.rows[row].Toolbox].Name
		}
		return ""
	}
	return s.kept.Selected.Toolbox
}

func inside(object fyne.CanvasObject, at fyne.Position) bool {
	corner, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(object), object.Size()
	return object.Visible() && at.X >= corner.X && at.Y >= corner.Y && at.X < corner.X+size.Width &&
		at.Y < corner.Y+size.Height
}
