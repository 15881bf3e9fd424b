package editor

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Screen draws a [View] and takes what the user types. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	slots   Slots
	view    View

	header *header
	tabs   *kit.Tabs
	kept   *model.Opened
	setup  *setup
	json   *jsonTab
	pages  []*kit.Curtain
	root   *fyne.Container

	drafts *model.Drafts
	then   []func() // functions of Committed that wait
}

// New returns an empty screen. Apply fills it. The drafts hold what is typed, and kept the tab that is shown; they
// exist longer than the screen.
func New(program Program, slots Slots, drafts *model.Drafts, kept *model.Opened) *Screen {
	s := &Screen{program: program, slots: slots, drafts: drafts, kept: kept}
	s.drafts.Drafter = drafter{s}
	s.header = newHeader(s)
	s.tabs = kit.NewTabs(lang.L("Tools"), lang.L("Setup"), lang.L("Log"))
	s.tabs.Follow(bar(kept.Tab))
	s.tabs.OnChosen = func(index int) { s.turn(model.Tab(index)) }
	s.tabs.OnAgain = func(index int) {
		if s.kept.Tab == model.TabJSON {
			s.turn(model.Tab(index))
			return
		}
		program.Turned(model.Tab(index), true)
	}
	s.setup = newSetup(s)
	s.json = newJSONTab(program, s.drafts, func() { s.Choose(model.TabSetup) })
	all := container.NewStack()
	for i, page := range []fyne.CanvasObject{slots.Tools, s.setup.root, slots.Log, s.json.root} {
		// Showing or hiding a container does not draw its contents again; a widget would do that.
		stack := container.NewStack()
		if page != nil {
			stack.Add(page)
		}
		kit.SetVisible(stack, i == int(kept.Tab))
		s.pages = append(s.pages, kit.NewCurtain(stack))
		all.Add(stack)
	}
	s.root = kit.Column(0, s.header.root, kit.Inset(s.tabs, 0, kit.GapWide), kit.Rest(all))
	s.root.Hide()
	return s
}

// Object returns what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows view. It keeps what was typed: for the same entry in the fields, for another entry as a draft. If the
// user goes to another entry, call Leave first. If the entry was only renamed, call Renamed or Edited first.
func (s *Screen) Apply(view View) {
	if view.Choice != s.view.Choice {
		s.setup.forget()
		s.json.reset()
	}
	s.view = view
	s.root.Show()
	s.header.apply(view)
	s.setup.apply(view)
	s.json.apply(view)
}

// Shown returns the entry that is shown.
func (s *Screen) Shown() model.Choice { return s.view.Choice }

// Tab returns the tab that is shown.
func (s *Screen) Tab() model.Tab {
	return s.kept.Tab
}

// Choose shows a tab, or the JSON in place of Setup.
func (s *Screen) Choose(tab model.Tab) {
	if tab == s.Tab() {
		return
	}
	s.tabs.Follow(bar(tab))
	s.turn(tab)
}

// bar returns the number of the tab that is marked in the bar.
func bar(tab model.Tab) int {
	if tab == model.TabJSON {
		tab = model.TabSetup
	}
	return int(tab)
}

// StepTab moves by some tabs; after the last comes the first. The window calls it on Ctrl+Tab.
func (s *Screen) StepTab(by int) { s.tabs.Step(by) }

// Commit saves what was typed, if it can be saved. The window calls it before it shows something else.
func (s *Screen) Commit() {
	s.setup.commit()
	s.json.commitRight()
}

// Leave is like Commit, but it also saves text that waits for a check, and hides secrets. Call it before the user goes
// to another entry.
func (s *Screen) Leave() {
	s.Commit()
	s.setup.leave(false)
	s.json.leave()
}

// Insist is Commit for a user who asks to save. It saves only the tab that is shown. If the text clashes with another
// change, the user is asked again what to keep. In Setup, it moves the focus to text that cannot be applied. The
// window calls it on Ctrl+S.
func (s *Screen) Insist() {
	switch s.Tab() {
	case model.TabSetup:
		s.setup.insist()
	case model.TabJSON:
		s.json.insist()
	}
}

// Close ends the screen. The drafts are kept for the next screen.
func (s *Screen) Close() {
	s.setup.reset()
	s.json.reset()
	s.proceed()
}

// Committed calls Commit, and calls do when it is clear what can be saved.
func (s *Screen) Committed(do func()) {
	s.then = append(s.then, do)
	s.Commit()
	s.proceed()
}

// proceed calls the functions of Committed, unless text still waits for a check or for an earlier save.
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

// Settle is like Commit, but it also saves text that waits for a check. It does not save text for which the user would
// be asked to choose. Call it before the window closes.
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

// drafter saves what is typed on the screen.
type drafter struct{ *Screen }

func (s drafter) Save(base *config.Document, ops []edit.Op, done func(error)) {
	s.program.Save(base, ops, done)
}

// Changed reports for which servers something is typed.
func (s drafter) Changed() {
	var servers []string
	for _, d := range s.drafts.All() {
		if !slices.Contains(servers, d.Server.Server) {
			servers = append(servers, d.Server.Server)
		}
	}
	s.program.Typed(servers)
}

// Ended shows whether a draft was saved.
func (s drafter) Ended(d *model.Draft, err error) {
	switch {
	case d.Server == s.setup.view.Choice && d.Field == "":
		s.json.show()
	case d.Server == s.setup.view.Choice:
		s.setup.follow()
	case errors.Is(err, model.ErrTheirs):
	case err != nil:
		s.program.NotSaved(d.Server, err)
	case d.Wanted:
		s.drafts.Apply(d, false)
	}
	s.proceed()
}

// Unsavable reports whether text would be lost if the window closed, for any server: text that is neither saved nor
// being saved. Call it after Settle. It returns a server and a tab with such text. Now is the file, or nil if it
// cannot be read; text for a server that is no longer in the file does not count.
func (s *Screen) Unsavable(now *config.Document) (at model.Choice, tab model.Tab, any bool) {
	var lost []*model.Draft
	for _, d := range s.drafts.All() {
		if shown := d.Server == s.setup.view.Choice; !d.Left() || shown && s.setup.idle(d.Field) {
			continue
		}
		if now != nil {
			if _, err := edit.ServerTextOf(now, d.Server.Toolbox, d.Server.Server); errors.Is(err, edit.ErrNotFound) {
				continue
			}
		}
		lost = append(lost, d)
	}
	rank := func(d *model.Draft) int { // prefers Setup, and the server that is shown
		rank := 0
		if d.Field == "" {
			rank = 2
		}
		if d.Server != s.setup.view.Choice {
			rank++
		}
		return rank
	}
	if len(lost) == 0 {
		return model.Choice{}, 0, false
	}
	first := slices.MinFunc(lost, func(a, b *model.Draft) int { return cmp.Compare(rank(a), rank(b)) })
	if tab = model.TabSetup; first.Field == "" {
		tab = model.TabJSON
	}
	return first.Server, tab, true
}

// FocusField focuses a field of Setup by its name in the file. "env.NAME" is a variable, for which a row is added if
// there is none. For any other name it focuses the command or the address, where most problems with starting a server
// are fixed.
func (s *Screen) FocusField(name string) {
	s.Choose(model.TabSetup)
	name, member, _ := strings.Cut(name, ".")
	f := &s.setup.form
	for _, u := range s.setup.units {
		if text, ok := u.(*textField); ok && text.name == name && text.box.Visible() {
			text.focus(nil)
			return
		}
	}
	address := !f.kind.program()
	switch {
	case name == "env" && f.env.box.Visible():
		f.env.focusValue(member)
	case name == "headers" && f.headers.box.Visible():
		f.headers.focusValue(member)
	case name == "args" && !address && len(f.arguments.rows) > 0:
		f.arguments.focusBlank()
	case address:
		f.url.focus(nil)
	default:
		f.command.focus(nil)
	}
}

// Escape discards text in Setup that is not applied, and reports whether there was any.
func (s *Screen) Escape() bool { return s.Tab() == model.TabSetup && s.setup.discardPlain() }

// turn shows the page of a tab.
func (s *Screen) turn(to model.Tab) {
	s.kept.Tab = to
	if to != model.TabJSON {
		s.json.leave()
	}
	if to != model.TabSetup {
		s.setup.commit()
	}
	for i, page := range s.pages {
		page.Set(i == int(to))
	}
	s.arrange()
	s.program.Turned(to, false)
}

func (s *Screen) arrange() {
	kit.Relayout(s.root)
}

// Edited is called after the user has changed servers, here or elsewhere. Text typed for renamed or moved servers
// stays with them; text for deleted servers is dropped.
func (s *Screen) Edited(ops []edit.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case edit.RenameServer:
			s.Renamed(model.Choice{Toolbox: op.Toolbox, Server: op.Name}, model.Choice{Toolbox: op.Toolbox, Server: op.To})
		case edit.MoveServer:
			if op.ToToolbox != "" {
				s.Renamed(model.Choice{Toolbox: op.Toolbox, Server: op.Name}, model.Choice{Toolbox: op.ToToolbox, Server: op.Name})
			}
		case edit.RenameToolbox:
			for _, at := range s.typedIn(op.Name) {
				s.Renamed(at, model.Choice{Toolbox: op.To, Server: at.Server})
			}
		case edit.RemoveServer:
			s.drafts.Remove(model.Choice{Toolbox: op.Toolbox, Server: op.Name})
		case edit.RemoveToolbox:
			for _, at := range s.typedIn(op.Name) {
				s.drafts.Remove(at)
			}
		}
	}
}

// typedIn returns the servers of a toolbox for which something is typed, and the one that is shown.
func (s *Screen) typedIn(toolbox string) []model.Choice {
	found := []model.Choice{s.setup.view.Choice}
	for _, d := range s.drafts.All() {
		found = append(found, d.Server)
	}
	return slices.DeleteFunc(found, func(at model.Choice) bool { return at.Toolbox != toolbox })
}

// Renamed is called when a server was renamed or moved, by anyone, before a View with the new name is applied. A
// second call does nothing.
func (s *Screen) Renamed(from, to model.Choice) {
	if from == to {
		return
	}
	if from == s.setup.view.Choice {
		for _, view := range []*View{&s.view, &s.setup.view, &s.json.view} {
			view.Choice = to
		}
	}
	s.drafts.Rename(from, to)
	if to == s.setup.view.Choice && s.setup.arrived {
		s.setup.follow()
		s.json.apply(s.json.view)
	}
}
