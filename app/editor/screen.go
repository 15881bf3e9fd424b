package editor

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Screen draws a View and takes what the user types. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	slots   Slots
	view    View

	header *header
	tabs   *kit.Tabs
	setup  *setup
	json   *jsonTab
	pages  []*kit.Curtain
	root   *fyne.Container

	leaving bool  // what was typed for an entry is being saved, since another is to be shown
	newer   *View // that came meanwhile
}

// New makes the screen. It shows nothing until Apply.
func New(actions Actions, slots Slots) *Screen {
	s := &Screen{actions: actions, slots: slots}
	s.header = newHeader(actions, s.arrange)
	s.tabs = kit.NewTabs(lang.L("Setup"), lang.L("Tools"), lang.L("Log"), lang.L("JSON"))
	s.tabs.OnChosen = s.chosen
	if slots.OnAgain != nil {
		s.tabs.OnAgain = func(index int) { slots.OnAgain(Tab(index)) }
	}
	s.setup = newSetup(actions, func() { s.tabs.Choose(int(TabTools)) })
	s.json = newJSONTab(actions)
	all := container.NewStack()
	for i, page := range []fyne.CanvasObject{s.setup.root, slots.Tools, slots.Log, s.json.root} {
		// A container comes and goes without drawing all that is in it anew, as a widget would.
		stack := container.NewStack()
		if page != nil {
			stack.Add(page)
		}
		setVisible(stack, i == 0)
		s.pages = append(s.pages, kit.NewCurtain(stack))
		all.Add(stack)
	}
	s.root = container.New(screenLayout{}, s.header.root, s.tabs, all)
	s.root.Hide()
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. A View of the same entry leaves alone what the user is typing; before one of another entry,
// what was typed is saved if it can be. Which one has only got another name, Renamed and Edited tell.
func (s *Screen) Apply(view View) {
	if s.leaving { // saving has brought it
		s.newer = &view
		return
	}
	another := view.Toolbox != s.view.Toolbox || view.Server != s.view.Server
	if another {
		s.leaving = true
		s.Settle()
		s.json.leave()
		s.leaving = false
		s.setup.forget()
		s.json.reset()
		if s.newer != nil {
			view, s.newer = *s.newer, nil
		}
	}
	s.view = view
	s.root.Show()
	s.header.apply(view)
	s.setup.apply(view)
	s.json.apply(view)
}

// Shown tells which entry is shown.
func (s *Screen) Shown() (toolbox, server string) { return s.view.Toolbox, s.view.Server }

// Tab is the tab that is chosen.
func (s *Screen) Tab() Tab { return Tab(s.tabs.Chosen()) }

// Choose goes to a tab.
func (s *Screen) Choose(tab Tab) { s.tabs.Choose(int(tab)) }

// StepTab goes so many tabs on, and round at the ends; it is for Ctrl+Tab in the window.
func (s *Screen) StepTab(by int) { s.tabs.Step(by) }

// Commit saves what was typed and is not saved yet, if it can be. The shell calls it before it shows something else, and for
// Ctrl+S.
func (s *Screen) Commit() {
	s.setup.commitAll()
	if !s.json.wrong() {
		s.json.commit()
	}
}

// Settle is Commit before the end: what waits to be checked is saved too.
func (s *Screen) Settle() {
	s.Commit()
	s.setup.leave()
}

// Unsaved tells whether something was typed that is not saved.
func (s *Screen) Unsaved() bool { return s.setup.unsaved() || s.json.dirty() }

// Unsavable tells whether something was typed, for whichever server, that is neither saved nor on its way to the file, and would be lost
// with the window: after Settle, what cannot be saved as it is. It gives the server and the tab where it was typed. Now is the file,
// nil when it cannot be read; what was typed for a server that it has no more is not counted.
func (s *Screen) Unsavable(now *config.Document) (at edit.Target, tab Tab, any bool) {
	there := func(at edit.Target) bool {
		if now == nil {
			return true
		}
		_, err := edit.ServerTextOf(now, at.Toolbox, at.Server)
		return !errors.Is(err, edit.ErrNotFound)
	}
	order := func(a, b edit.Target) int {
		return cmp.Or(cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server))
	}
	setups, texts := slices.SortedFunc(maps.Keys(s.setup.kept), order), slices.SortedFunc(maps.Keys(s.json.kept), order)
	if s.json.left() {
		texts = slices.Insert(texts, 0, s.setup.target())
	}
	if s.setup.left() {
		setups = slices.Insert(setups, 0, s.setup.target())
	}
	for _, at := range setups {
		if there(at) {
			return at, TabSetup, true
		}
	}
	for _, at := range texts {
		if there(at) {
			return at, TabJSON, true
		}
	}
	return edit.Target{}, 0, false
}

// FocusStart goes to what says how the server is started, its program or its address, where most of what keeps it from
// starting is mended.
func (s *Screen) FocusStart() {
	s.Choose(TabSetup)
	field := s.setup.form.command
	if s.setup.form.kind.Chosen() == kindAddress {
		field = s.setup.form.url
	}
	kit.Focus(field.input.Input)
}

// FocusLimit goes to how long the server may take to start.
func (s *Screen) FocusLimit() {
	s.Choose(TabSetup)
	kit.Focus(s.setup.form.startup.input.Input)
}

// Escape discards what is typed in Setup and not applied, and tells whether there was anything.
func (s *Screen) Escape() bool { return s.Tab() == TabSetup && s.setup.discard() }

func (s *Screen) chosen(index int) {
	if index != int(TabJSON) {
		s.json.leave()
	}
	if index != int(TabSetup) {
		s.setup.commitAll()
	}
	for i, page := range s.pages {
		page.Set(i == index)
	}
	s.arrange()
	if s.slots.OnTab != nil {
		s.slots.OnTab(Tab(index))
	}
}

func (s *Screen) arrange() {
	if s.root != nil {
		kit.Relayout(s.root)
	}
}

// screenLayout has the header as high as it needs to be, the tabs and what they show.
type screenLayout struct{}

func (screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	header, tabs, page := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	return fyne.NewSize(max(header.Width, tabs.Width, page.Width), header.Height+tabs.Height+page.Height)
}

func (screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	header, tabs, page := objects[0], objects[1], objects[2]
	height := header.Size().Height
	for range 3 {
		header.Resize(fyne.NewSize(size.Width, height))
		height = header.MinSize().Height
	}
	header.Resize(fyne.NewSize(size.Width, height))
	tabs.Move(fyne.NewPos(12, height))
	tabs.Resize(fyne.NewSize(size.Width-24, tabs.MinSize().Height))
	height += tabs.MinSize().Height
	page.Move(fyne.NewPos(0, height))
	page.Resize(fyne.NewSize(size.Width, max(0, size.Height-height)))
}
