package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/workbench-mcp/workbench-desktop/app/model"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Screen draws a View and lets the user change what it shows. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View
	rows    []Row
	folded  map[string]bool // by the name of the toolbox
	choice  model.Choice    // what is selected
	opened  bool            // the right side shows the settings of the selected server
	lost    model.Choice    // was selected before it disappeared; selected again when it comes back
	wanted  model.Choice    // selected as soon as it appears

	shifting shifting

	nameNext model.Choice // the user is asked for its name as soon as it appears

	shown model.Choice // what ShowServer was told last

	root                 *fyne.Container
	split                *kit.Split
	search               *kit.Input
	add                  *kit.Button
	unused               *kit.Button // searches for what nobody has used; hidden without that
	tree                 *tree
	nothing              *fyne.Container // found
	page                 *page
	detail               *detail
	notice               *notice
	strip                *strip
	trail                *fyne.Container
	pageSide, detailSide *kit.Curtain    // before page and detail
	instead              *fyne.Container // takes the place of the split when there are no toolboxes
}

// leadWidth is the width of the tree at first, in pixels.
const leadWidth = 296

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	s := &Screen{actions: actions, folded: map[string]bool{}}
	s.tree = newTree(s)
	s.page = newPage(s)
	s.detail = newDetail(s)
	s.notice = newNotice(s.relayout)
	s.strip = newStrip(s)
	s.pageSide, s.detailSide = kit.NewCurtain(s.page.root), kit.NewCurtain(s.detail.root)
	s.trail = container.New(trailLayout{s}, s.notice.root, s.page.root, s.detail.root, s.strip)
	s.split = kit.NewSplit(kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, s.newLead()), s.trail, leadWidth)
	s.instead = container.NewStack()
	s.root = container.NewStack(s.split, s.instead)
	s.detail.root.Hide()
	return s
}

// newLead makes the left side: the search, the buttons, the tree.
func (s *Screen) newLead() fyne.CanvasObject {
	s.search = kit.NewInput("")
	s.search.SetPlaceHolder(lang.L("Search toolboxes, servers, tools"))
	s.search.Icon = base.SearchIcon()
	s.search.OnChanged = func(string) { s.fill() }
	s.search.OnEscape = func() {
		s.search.SetText("")
		s.tree.body.focus()
	}
	s.search.OnArrow(func(int) { s.tree.body.focus() })
	s.search.OnSubmitted = func(string) { s.firstFound() }

	toolbox := kit.NewButton(lang.L("Toolbox"), widget.MediumImportance, s.NewToolbox)
	toolbox.SetIcon(base.ContentAddIcon())
	s.add = kit.NewButton(lang.L("Add server"), widget.HighImportance, func() { s.actions.Add(s.choice.Toolbox) })
	s.add.SetIcon(base.ContentAddIcon())
	buttons := container.NewGridWithColumns(2, toolbox, s.add)
	s.unused = kit.NewButton("", widget.LowImportance, s.ShowUnused)
	s.unused.Hide()
	s.nothing = kit.Column(kit.Gap,
		kit.NewGap(0, kit.GapBlock),
		kit.NewText(lang.L("Nothing matches"), kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		container.NewCenter(kit.NewButton(lang.L("Clear the search"), widget.LowImportance, s.search.OnEscape)),
	)
	top := kit.Inset(kit.Column(kit.Gap, s.search, buttons, s.unused), kit.GapWide, kit.GapWide)
	return kit.Column(0, top, kit.Inset(kit.NewLine(), 0, kit.GapWide), kit.Rest(kit.Inset(container.NewStack(s.tree.scroll, s.nothing), kit.Gap, kit.Gap)))
}

// ShowUnused searches for the servers that nobody has used.
func (s *Screen) ShowUnused() { s.search.SetText(unusedWords()) }

// offerUnused offers to show the servers that nobody has used, when there are any.
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

// trailLayout puts what the right side shows between a notice, if there is one, and the problems, if there are any.
type trailLayout struct{ screen *Screen }

func (t trailLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 300) }

func (t trailLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s := t.screen
	top, bottom := float32(0), size.Height
	if s.notice.root.Visible() {
		width := pageWidth(size.Width)
		s.notice.root.Move(fyne.NewPos(kit.GapEdge, kit.GapWide))
		s.notice.root.Resize(fyne.NewSize(width, s.notice.root.Size().Height))
		height := s.notice.root.MinSize().Height
		s.notice.root.Resize(fyne.NewSize(width, height))
		top = height + kit.GapWide
	}
	if s.strip.Visible() {
		width := pageWidth(size.Width)
		height := s.strip.height(width, size.Height)
		bottom -= height + kit.GapWide
		s.strip.Move(fyne.NewPos(kit.GapEdge, bottom))
		s.strip.Resize(fyne.NewSize(width, height))
		bottom -= kit.Gap
	}
	for _, object := range []fyne.CanvasObject{s.page.root, s.detail.root} {
		object.Move(fyne.NewPos(0, top))
		object.Resize(fyne.NewSize(size.Width, max(0, bottom-top)))
	}
}

// relayout lays the right side out again, after a part of it has changed its height.
func (s *Screen) relayout() { kit.Relayout(s.trail) }

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// FocusSearch puts the cursor into the search field, when it can be seen.
func (s *Screen) FocusSearch(canvas fyne.Canvas) {
	if s.split.Visible() {
		canvas.Focus(s.search)
		s.search.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// Selected returns the selected toolbox or server; the zero Choice when nothing is selected.
func (s *Screen) Selected() model.Choice { return s.choice }

// Apply shows another View. The selection, folded toolboxes, the search and text being typed are kept, also for things with a new name.
func (s *Screen) Apply(view View) {
	before, was := s.view, s.choice
	s.view = view
	s.refold(before)
	s.tellRenamed(before)
	came := s.reselect(before)
	s.applyInstead(before)
	s.strip.show(view)
	s.offerUnused()
	s.fill()
	s.relayout()
	if came && s.choice != was {
		s.tree.body.reveal(s.tree.body.rowOf(s.choice))
		s.page.reveal(s.choice.Server)
	}
	if s.nameNext != (model.Choice{}) && view.has(s.nameNext) {
		next := s.nameNext
		s.nameNext = model.Choice{}
		s.rename(next, "")
	}
}

// refold keeps renamed toolboxes folded.
func (s *Screen) refold(before View) {
	for toolbox := range s.folded {
		if now, ok := follow(before, s.view, model.Choice{Toolbox: toolbox}); ok && now.Toolbox != toolbox {
			delete(s.folded, toolbox)
			s.folded[now.Toolbox] = true
		}
	}
}

// tellRenamed tells which servers have got other names.
func (s *Screen) tellRenamed(before View) {
	if sameNames(before, s.view) {
		return // as nearly always
	}
	for _, toolbox := range before.Toolboxes {
		for _, server := range toolbox.Servers {
			was := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			if now, ok := follow(before, s.view, was); ok && now != was {
				s.actions.Renamed(was, now)
			}
		}
	}
}

// reselect takes the selection, and a name that is being changed, over to another view. It reports whether something is
// selected now for which that was waiting.
func (s *Screen) reselect(before View) (came bool) {
	naming := &s.tree.body.naming
	if naming.on && naming.choice.Toolbox != "" {
		if now, ok := follow(before, s.view, naming.choice); ok {
			naming.choice = now
		}
	}
	drag := &s.tree.body.drag
	if drag.on {
		if now, ok := follow(before, s.view, drag.what); ok {
			drag.what = now
		}
	}
	switch {
	case s.wanted != model.Choice{} && s.view.has(s.wanted):
		s.choice, s.wanted, s.lost = s.wanted, model.Choice{}, model.Choice{}
		delete(s.folded, s.foldedFor(s.choice))
		s.opened = s.opened && s.choice.Server != ""
		return true
	case s.lost != model.Choice{} && s.view.has(s.lost):
		s.choice, s.lost = s.lost, model.Choice{}
		return true
	default:
		now, ok := follow(before, s.view, s.choice)
		if !ok {
			if s.choice != (model.Choice{}) && s.lost == (model.Choice{}) {
				s.lost = s.choice
			}
			s.opened = false // the settings of another server would be a surprise
		}
		s.choice = now
	}
	return false
}

// foldedFor is the toolbox that must not be folded for a choice to be seen.
func (s *Screen) foldedFor(choice model.Choice) string {
	if choice.Server == "" {
		return ""
	}
	return choice.Toolbox
}

// applyInstead shows the message that takes the place of toolboxes when there are none. It is built again only when it has changed,
// because building takes the focus from its buttons.
func (s *Screen) applyInstead(before View) {
	none := len(s.view.Toolboxes) == 0
	if none && (len(s.instead.Objects) == 0 || before.Broken != s.view.Broken || before.Path != s.view.Path ||
		!samePlain(before.Problems, s.view.Problems) || len(before.Toolboxes) > 0) {
		s.strip.view = s.view
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
	s.rows = s.view.Rows(s.search.Text, s.folded)
	kit.SetVisible(s.nothing, len(s.rows) == 0 && s.search.Text != "")
	s.tree.body.show(s.view, s.rows, s.choice)
	s.showChoice(false)
}

// showChoice shows the selected thing on the right side; with reveal it scrolls to its card.
func (s *Screen) showChoice(reveal bool) {
	t, server, ok := s.view.find(s.choice)
	open := ok && s.opened && server != noServer
	told := model.Choice{}
	if open {
		told = s.choice
		s.detail.show(s.choice)
	}
	if ok {
		if s.page.toolbox.Name != s.view.Toolboxes[t].Name && !s.renamedPage(s.view.Toolboxes[t].Name) {
			s.page.head.cancel()
		}
		if open {
			s.page.follow(s.view.Toolboxes[t], s.choice.Server) // it is drawn when it can be seen again
		} else {
			s.page.show(s.view.Toolboxes[t], s.choice.Server, reveal)
		}
	}
	// The settings of a server need the room, and show the problems of the server themselves.
	strip := len(s.view.Problems) > 0 && (!open || s.view.Broken || s.strip.unfolded)
	if open != s.detail.root.Visible() || strip != s.strip.Visible() {
		s.detailSide.Set(open)
		s.pageSide.Set(!open)
		kit.SetVisible(s.strip, strip)
		s.relayout()
	}
	if told != s.shown {
		s.shown = told
		s.actions.ShowServer(told)
	}
}

// renamedPage reports whether the page shows the same toolbox as before, under another name.
func (s *Screen) renamedPage(now string) bool {
	return s.page.toolbox.Name != "" && !s.view.has(model.Choice{Toolbox: s.page.toolbox.Name}) && now == s.choice.Toolbox && s.lost == model.Choice{}
}

// Select shows a toolbox, or the settings of a server. It clears the search, which may hide them.
func (s *Screen) Select(choice model.Choice) {
	if s.search.Text != "" {
		s.search.SetText("") // fills
	}
	if choice.Server != "" && s.folded[choice.Toolbox] {
		delete(s.folded, choice.Toolbox)
		s.fill()
	}
	s.pick(choice, byReturn)
	s.tree.body.reveal(s.tree.body.rowOf(choice))
}

// ShowProblems lists all that is wrong.
func (s *Screen) ShowProblems() {
	if len(s.view.Problems) > 0 && !s.strip.unfolded {
		s.strip.setUnfolded(true)
	}
}

// stripFolded makes room for the problems after they were unfolded, or gives it back.
func (s *Screen) stripFolded() {
	s.showChoice(false)
	s.relayout()
}

// Back goes from the settings of a server to its toolbox, and reports whether it was there.
func (s *Screen) Back() bool {
	if !s.opened || s.choice.Server == "" {
		return false
	}
	s.opened = false
	s.showChoice(true)
	return true
}

// firstFound selects the first thing that the search has found.
func (s *Screen) firstFound() {
	if len(s.rows) == 0 {
		return
	}
	row := s.rows[0]
	if s.search.Text != "" && !row.Whole && len(s.rows) > 1 {
		row = s.rows[1] // the toolbox is only there to hold it
	}
	s.pick(s.view.at(row), byArrow)
	s.tree.body.focus()
}

// Dropped takes files that were dropped on the window at a position of its canvas, and reports whether that was on this screen.
func (s *Screen) Dropped(at fyne.Position, uris []fyne.URI) bool {
	if len(uris) == 0 || !inside(s.root, at) {
		return false
	}
	s.actions.DropFiles(s.toolboxAt(at), uris)
	return true
}

// toolboxAt returns the name of the toolbox at a position of the canvas; "" when there is none.
func (s *Screen) toolboxAt(at fyne.Position) string {
	if !s.split.Visible() {
		return ""
	}
	if inside(s.tree.scroll, at) {
		body := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.tree.body)
		if row := s.tree.body.rowAt(at.Y - body.Y); row != noRow {
			return s.view.Toolboxes[s.rows[row].Toolbox].Name
		}
		return ""
	}
	return s.choice.Toolbox
}

func inside(object fyne.CanvasObject, at fyne.Position) bool {
	corner, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(object), object.Size()
	return object.Visible() && at.X >= corner.X && at.Y >= corner.Y && at.X < corner.X+size.Width && at.Y < corner.Y+size.Height
}
