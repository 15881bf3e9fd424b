package editor

import (
	"cmp"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
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

	drafts  *model.Drafts
	then    []func() // to be done when what was to be saved is on its way
	leaving bool     // what was typed for an entry is being saved, since another is to be shown
	newer   *View    // that came meanwhile
}

// New makes the screen, which shows nothing until Apply. Drafts are what is typed; they outlive the screen.
func New(actions Actions, slots Slots, drafts *model.Drafts) *Screen {
	s := &Screen{actions: actions, slots: slots, drafts: drafts}
	s.drafts.Ended = s.ended
	s.drafts.Changed = s.tellTyped
	s.drafts.Save = actions.Save
	s.header = newHeader(actions, s.arrange)
	s.tabs = kit.NewTabs(lang.L("Setup"), lang.L("Tools"), lang.L("Log"), lang.L("JSON"))
	s.tabs.OnChosen = s.chosen
	if slots.OnAgain != nil {
		s.tabs.OnAgain = func(index int) { slots.OnAgain(Tab(index)) }
	}
	s.setup = newSetup(actions, s.drafts, func() { s.tabs.Choose(int(TabTools)) })
	s.setup.answered = s.proceed
	s.json = newJSONTab(actions, s.drafts)
	all := container.NewStack()
	for i, page := range []fyne.CanvasObject{s.setup.root, slots.Tools, slots.Log, s.json.root} {
		// A container comes and goes without drawing all that is in it anew, as a widget would.
		stack := container.NewStack()
		if page != nil {
			stack.Add(page)
		}
		kit.SetVisible(stack, i == 0)
		s.pages = append(s.pages, kit.NewCurtain(stack))
		all.Add(stack)
	}
	s.root = kit.Column(0, s.header.root, kit.Inset(s.tabs, 0, kit.GapWide), kit.Rest(all))
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
		s.Commit()
		s.setup.leave(false)
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
	s.setup.commit()
	s.json.commitRight()
}

// Close ends the screen. What is typed is left to the next one.
func (s *Screen) Close() {
	s.setup.reset()
	s.json.reset()
	s.proceed()
}

// Committed commits, and then does something that is to come after what was typed, at once or when it is known whether that can be saved.
func (s *Screen) Committed(do func()) {
	s.then = append(s.then, do)
	s.Commit()
	s.proceed()
}

// proceed does what has waited for what is typed, unless that goes on waiting.
func (s *Screen) proceed() {
	if s.setup.pending() {
		return
	}
	then := s.then
	s.then = nil
	for _, do := range then {
		do()
	}
}

// Settle is Commit before the end: what waits to be checked is saved too. What the person would have to be asked about stays as it is.
func (s *Screen) Settle() {
	for _, d := range s.drafts.All() {
		if d.Moved() && !d.Held {
			d.Held = true
			defer func() { d.Held = false }()
		}
	}
	s.Commit()
	s.setup.leave(true)
}

// tellTyped tells for which servers something is typed.
func (s *Screen) tellTyped() {
	var servers []string
	for _, d := range s.drafts.All() {
		if !slices.Contains(servers, d.Server.Server) {
			servers = append(servers, d.Server.Server)
		}
	}
	s.actions.Typed(servers)
}

// ended takes up how the saving of a draft has ended.
func (s *Screen) ended(d *model.Draft, err error) {
	switch {
	case d.Server == s.setup.target() && d.Field == "":
		s.json.show()
	case d.Server == s.setup.target():
		s.setup.follow()
	case errors.Is(err, model.ErrTheirs):
	case err != nil:
		s.actions.NotSaved(d.Server, err)
	case d.Wanted:
		s.drafts.Apply(d, false)
	}
	s.proceed()
}

// Unsaved reports whether something was typed that is not saved.
func (s *Screen) Unsaved() bool { return s.setup.unsaved() || s.json.dirty() }

// Unsavable reports whether something was typed, for whichever server, that is neither saved nor on its way to the file, and would be lost
// with the window: after Settle, what cannot be saved as it is. It gives the server and the tab where it was typed. Now is the file,
// nil when it cannot be read; what was typed for a server that it has no more is not counted.
func (s *Screen) Unsavable(now *config.Document) (at edit.Target, tab Tab, any bool) {
	var lost []*model.Draft
	for _, d := range s.drafts.All() {
		if shown := d.Server == s.setup.target(); !d.Left() || shown && s.setup.idle(d.Field) {
			continue
		}
		if now != nil {
			if _, err := edit.ServerTextOf(now, d.Server.Toolbox, d.Server.Server); errors.Is(err, edit.ErrNotFound) {
				continue
			}
		}
		lost = append(lost, d)
	}
	rank := func(d *model.Draft) int { // Setup first, and what is shown
		rank := 0
		if d.Field == "" {
			rank = 2
		}
		if d.Server != s.setup.target() {
			rank++
		}
		return rank
	}
	slices.SortStableFunc(lost, func(a, b *model.Draft) int { return cmp.Compare(rank(a), rank(b)) })
	if len(lost) == 0 {
		return edit.Target{}, 0, false
	}
	if lost[0].Field == "" {
		tab = TabJSON
	}
	return lost[0].Server, tab, true
}

// FocusField goes to a field of Setup, by its name in the file. Without one it goes to what says how the server is started, its program or
// its address, where most of what keeps it from starting is mended.
func (s *Screen) FocusField(name string) {
	s.Choose(TabSetup)
	f := &s.setup.form
	address := f.kind.Chosen() == kindAddress
	switch {
	case name == "env" && f.env.box.Visible():
		f.env.focus()
	case name == "headers" && f.headers.box.Visible():
		f.headers.focus()
	case name == "startupTimeout":
		kit.Focus(f.startup.input.Input)
	case name == "callTimeout":
		kit.Focus(f.call.input.Input)
	case name == "args" && !address && len(f.arguments.rows) > 0:
		kit.Focus(f.arguments.rows[0].input.Input)
	case name == "cwd" && !address:
		kit.Focus(f.cwd.input.Input)
	case address:
		kit.Focus(f.url.input.Input)
	default:
		kit.Focus(f.command.input.Input)
	}
}

// Escape discards what is typed in Setup and not applied, and tells whether there was anything.
func (s *Screen) Escape() bool { return s.Tab() == TabSetup && s.setup.discardPlain() }

func (s *Screen) chosen(index int) {
	if index != int(TabJSON) {
		s.json.leave()
	}
	if index != int(TabSetup) {
		s.setup.commit()
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

// Edited takes up what the user has done to servers, in this screen or elsewhere: what is typed for them and not saved gets their new
// names, or goes with them.
func (s *Screen) Edited(ops []edit.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case edit.RenameServer:
			s.Renamed(edit.Target{Toolbox: op.Toolbox, Server: op.Name}, edit.Target{Toolbox: op.Toolbox, Server: op.To})
		case edit.MoveServer:
			if op.ToToolbox != "" {
				s.Renamed(edit.Target{Toolbox: op.Toolbox, Server: op.Name}, edit.Target{Toolbox: op.ToToolbox, Server: op.Name})
			}
		case edit.RenameToolbox:
			for _, at := range s.typedIn(op.Name) {
				s.Renamed(at, edit.Target{Toolbox: op.To, Server: at.Server})
			}
		case edit.RemoveServer:
			s.drafts.Remove(edit.Target{Toolbox: op.Toolbox, Server: op.Name})
		case edit.RemoveToolbox:
			for _, at := range s.typedIn(op.Name) {
				s.drafts.Remove(at)
			}
		}
	}
}

// typedIn are the servers of a toolbox for which something is typed, and the one that is shown.
func (s *Screen) typedIn(toolbox string) []edit.Target {
	found := []edit.Target{s.setup.target()}
	for _, d := range s.drafts.All() {
		found = append(found, d.Server)
	}
	return slices.DeleteFunc(found, func(at edit.Target) bool { return at.Toolbox != toolbox })
}

// Renamed takes up that a server is called otherwise now or is in another toolbox, whoever has done that. It is to be told before a View
// under the new name is applied; told once more it does nothing.
func (s *Screen) Renamed(from, to edit.Target) {
	if from == to {
		return
	}
	if from == s.setup.target() {
		for _, view := range []*View{&s.view, &s.setup.view, &s.json.view} {
			view.Toolbox, view.Server = to.Toolbox, to.Server
		}
	}
	s.drafts.Rename(from, to)
	if to == s.setup.target() && s.setup.arrived {
		s.setup.follow()
		s.json.apply(s.json.view)
	}
}
