package clients

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/review"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	judging "github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// Ask says where to look for servers: in an app, or in a file that any app has written.
type Ask struct {
	ID   string // of the app; "" if File is set
	File string

	// Projects also looks for the servers of single projects, which Claude Code has.
	Projects bool

	// Twice looks only for servers that are in a toolbox already, so that the app does not need them.
	Twice bool

	// Into is the toolbox to bring the servers into; "" means the usual one.
	Into string
}

// Offer is what was found.
type Offer struct {
	Plan imports.Plan

	NoKeychain bool              // this computer has no keychain, so secrets stay in a file
	Movable    bool              // the servers can be removed from the file of the app
	Running    bool              // the user must quit the app before its file can be changed
	Earlier    []setup.MovedFile // from which servers were moved before

	seen *config.Document // the configuration for which the plan was made
}

// Importing brings servers into toolboxes.
type Importing interface {
	// Import looks for servers to bring in.
	Import(ask Ask, done func(Offer, error))

	// Bring writes the servers of a plan, which is a part of the offer's, to the configuration, and tries them. If
	// keychain is set, it stores their secrets in the keychain.
	Bring(offer Offer, plan imports.Plan, keychain bool, done func(error))

	// Move does the same, tries the servers, and then removes those that start from the app's file. If wait is set, it
	// first waits until the user quits the app, or until ctx ends.
	Move(ctx context.Context, offer Offer, plan imports.Plan, keychain, wait bool, done func(Moved, error))

	// Try shows a dialog that tries the servers of a plan which did not start when they were moved.
	Try(plan imports.Plan)
}

// NoKeychain says where secrets stay if there is no keychain.
func NoKeychain() string {
	return lang.L("There is no keychain here, so passwords and keys stay in a file, as they do in your apps now.")
}

// bringing is the dialog that brings servers into a toolbox.
type bringing struct {
	*sheet
	ask      Ask
	name     string // of the app, or of the file
	offer    Offer
	left     map[string]bool      // servers that the user has left out, by key
	agreed   map[judging.Use]bool // the uses in the servers of a file that the user has agreed to
	keychain bool                 // secrets go into the keychain
	move     bool                 // the servers are moved, not copied
	usual    string               // the toolbox that was proposed at first
	main     *kit.Button          // brings the servers in or moves them; nil if there are none
	choice   *kit.Choice          // between copying and moving
}

// bringIn opens the dialog for an app.
func (s *Screen) bringIn(id, name string) {
	s.bringFrom(Ask{ID: id}, name)
}

// takeOutTwice opens the dialog that removes from an app the servers that it also gets from Workbench.
func (s *Screen) takeOutTwice(card Card) {
	s.bringFrom(Ask{ID: card.ID, Twice: true}, card.Name)
}

// BringFile opens the dialog for a file that the user has chosen or dropped on the window.
func (s *Screen) BringFile(path string) {
	s.bringFrom(Ask{File: path}, kit.Line(filepath.Base(path)))
}

func (s *Screen) bringFrom(ask Ask, name string) {
	b := &bringing{sheet: s.open(), ask: ask, name: name, left: map[string]bool{}, agreed: map[judging.Use]bool{},
		keychain: true}
	b.load()
}

// show shows a page under the title.
func (b *bringing) show(body []fyne.CanvasObject, buttons ...*kit.Button) {
	title := lang.L("Bring in the servers of {{.App}}", b.words())
	if b.ask.Twice {
		title = lang.L("Remove servers from {{.App}}", b.words())
	}
	b.SetTitle(title)
	b.sheet.show(body, buttons...)
}

// load looks for the servers.
func (b *bringing) load() {
	b.turn(func() {
		b.show([]fyne.CanvasObject{kit.NewParagraph(lang.L("Looking for servers…"),
			kit.TextStyle{Color: theme.ColorMuted})}, b.cancel(lang.L("Cancel")))
	})
	b.screen.actions.Import(b.ask, func(offer Offer, err error) {
		if b.gone {
			return
		}
		if err != nil {
			b.turn(func() { b.failed(err) })
			return
		}
		if b.usual == "" {
			b.usual = offer.Plan.Toolbox
		}
		if b.ask.Twice {
			offer.Plan.Servers, offer.Earlier = nil, nil
		}
		b.offer = offer
		b.keychain = b.keychain && !offer.NoKeychain
		b.relist()
	})
}

// failed shows an error.
func (b *bringing) failed(err error) {
	b.show([]fyne.CanvasObject{kit.NewMarked(theme.StateWrong, kit.ErrorSentence(err))},
		kit.NewButton(lang.L("Close"), widget.HighImportance, b.close))
}

// relist shows the servers that can be brought in.
func (b *bringing) relist() { b.turn(func() { b.list("") }) }

// list shows the servers that can be brought in, and a problem if there is one.
func (b *bringing) list(problem string) {
	plan := b.offer.Plan
	var body []fyne.CanvasObject
	if problem != "" {
		body = append(body, kit.NewMarked(theme.StateWrong, problem))
	}
	secrets := 0
	unread, left := plan.Unread()
	for _, skipped := range unread { // say so, or the user might think that there are none
		body = append(body, kit.Column(kit.GapTight, kit.NewMarked(theme.StateWrong, kit.Say(skipped.Reason)),
			kit.NewParagraph(lang.L("{{.File}} was not changed. Fix this, then try again.",
				map[string]any{"File": kit.Line(skipped.File)}), kit.Small())))
	}
	switch {
	case len(plan.Servers) > 0:
		body = append(body, b.destination())
	case len(unread) == 0: // otherwise it is not known whether there are any
		body = append(body, kit.NewMarked(theme.StateIdle, lang.L("Nothing to bring in")))
	}
	if b.ask.ID == "claude-code" {
		projects := kit.NewCheck(lang.L("Include those of single projects"), func(on bool) {
			b.ask.Projects = on
			b.load()
		})
		projects.Follow(b.ask.Projects)
		body = append(body, inLine(projects))
	}
	if len(plan.Servers) > 0 {
		var rows []Row
		for i := range plan.Servers {
			secrets += len(plan.Servers[i].Secrets)
			rows = append(rows, b.row(&plan.Servers[i]))
		}
		body = append(body, NewRows(rows))
	}
	switch {
	case secrets > 0 && b.offer.NoKeychain:
		body = append(body, kit.NewMarked(theme.StateIdle, NoKeychain()))
	case secrets > 0 && problem != "": // the keychain may have refused them; the user decides
		keep := kit.NewCheck(lang.L("Keep passwords and keys in the keychain of this computer, not in the file"),
			func(on bool) { b.keychain = on })
		keep.Follow(b.keychain)
		body = append(body, inLine(keep))
	}
	if len(plan.Servers) > 0 {
		body = append(body, b.way()...)
	}
	if len(b.offer.Earlier) > 0 {
		body = append(body, b.earlier())
	}
	for _, note := range plan.Notes {
		body = append(body, kit.NewParagraph(kit.Say(note), kit.Small()))
	}
	if len(left) > 0 {
		list := kit.Column(kit.GapTight,
			kit.NewText(lang.L("Not brought in"), kit.TextStyle{Size: theme.SizeSmall, Bold: true}))
		for _, skipped := range left {
			list.Add(kit.NewParagraph(strings.TrimPrefix(skipped.Name+": ", ": ")+kit.Say(skipped.Reason), kit.Small()))
		}
		body = append(body, list)
	}
	if here := plan.Doubles(); len(plan.Servers) == 0 && len(here) > 0 && b.offer.Movable {
		b.takeOut(body, here)
		return
	}
	if len(plan.Servers) == 0 {
		b.main = nil
		var buttons []*kit.Button
		if len(unread) > 0 {
			buttons = append(buttons, kit.NewButton(lang.L("Try again"), widget.MediumImportance, b.load))
		}
		b.show(body, append(buttons, kit.NewButton(lang.L("Close"), widget.HighImportance, b.close))...)
		return
	}
	b.main = kit.NewButton("", widget.HighImportance, b.bring)
	b.label()
	b.show(body, b.cancel(lang.L("Cancel")), b.main)
}

// destination returns the choice of the toolbox.
func (b *bringing) destination() fyne.CanvasObject {
	options := slices.Clone(b.screen.actions.Toolboxes())
	for _, name := range []string{b.usual, b.offer.Plan.Toolbox} {
		if !slices.Contains(options, name) {
			options = append(options, name)
		}
	}
	choice := kit.NewSelect(options, nil)
	choice.SetSelected(b.offer.Plan.Toolbox)
	choice.OnChanged = func(name string) {
		if name != b.offer.Plan.Toolbox {
			b.ask.Into = name
			b.load()
		}
	}
	return kit.Row(kit.Gap, kit.NewText(lang.L("Into the toolbox"), kit.TextStyle{}), choice)
}

// row returns the row of a server, with a box to leave it out.
func (b *bringing) row(server *imports.Found) Row {
	key := server.Key()
	view := review.View{Judged: server.Review(), Agreed: b.agreed, OnAgreed: b.label, Bare: true}
	// the servers of an app have these uses already; those of a file need agreement
	if view.Told = view.Judged.ToAgree(); b.ask.File != "" {
		view.Agree, view.Told = view.Told, nil
	}
	row := Row{Name: server.As, Mark: catalogue.Known(&server.Entry), First: []fyne.CanvasObject{review.New(view)},
		Told: Told{Lines: ServerLines(server, b.keychain)}, Box: kit.NewCheck("", func(on bool) {
			b.left[key] = !on
			b.label()
		})}
	row.Box.Follow(!b.left[key])
	if server.Project != "" {
		row.First = append(row.First, NewStateLine(
			Sign{Text: lang.L("For the project in {{.Folder}}.", map[string]any{"Folder": kit.Line(server.Project)})}))
	}
	if lost := server.Lost(); !lost.IsZero() {
		row.First = append(row.First, NewStateLine(Sign{theme.StateNotice, kit.Say(lost)},
			kit.NewButton(lang.L("Pass on"), widget.MediumImportance, func() { b.passOn(key) })))
	}
	return row
}

// passOn passes the variables on that a server needs and would not get. By pressing the button, the user has agreed to
// these uses, and to no others.
func (b *bringing) passOn(key string) {
	before := b.offer.Plan.ToAgree()
	b.offer.Plan = b.offer.Plan.PassOn(key)
	for _, use := range b.offer.Plan.ToAgree() {
		if !slices.Contains(before, use) {
			b.agreed[use] = true
		}
	}
	b.relist()
}

// inLine indents a checkbox so that it is in line with those of the servers.
func inLine(box *kit.Check) fyne.CanvasObject {
	return kit.InsetSides(box, 0, 0, kit.Gap, 0)
}

// way returns the choice between copying and moving, and says what it means.
func (b *bringing) way() []fyne.CanvasObject {
	if !b.offer.Movable {
		return nil
	}
	choice := kit.NewChoice(lang.L("Copy them"), lang.L("Move them"))
	if b.move {
		choice.Follow(1)
	}
	choice.OnChosen = func(index int) {
		b.move = index == 1
		b.relist()
		b.screen.window.Canvas().Focus(b.choice) // list has made a new choice
	}
	b.choice = choice
	says := lang.L("{{.App}} keeps its servers. Once it is connected, it has their tools twice.", b.words())
	client, _ := engine.ByID(b.ask.ID)
	switch {
	case b.move && client.ByHand != "":
		says = kit.Say(client.Say(client.ByHand))
	case b.move:
		says = lang.L("Those that start are removed from {{.App}}. Once connected, it gets them from Workbench.", b.words())
	}
	objects := []fyne.CanvasObject{kit.Row(0, kit.NewFullChoice(choice)),
		kit.NewParagraph(says, kit.TextStyle{Color: theme.ColorMuted})}
	if b.waits() {
		objects = append(objects, kit.NewMarked(theme.StateNotice,
			lang.L("{{.App}} is running. Quit it fully first, or it undoes the change. Closing its window is not enough.",
				b.words())))
	}
	return objects
}

// waits reports whether the user must quit the app first.
func (b *bringing) waits() bool { return b.move && b.offer.Running }

func (b *bringing) words() map[string]any { return map[string]any{"App": b.name} }

// label makes the main button say how many servers are chosen, and enables it if they can be brought in.
func (b *bringing) label() {
	count := len(b.chosen().Servers)
	switch {
	case b.move:
		b.main.SetText(lang.N("Move {{.Count}} servers", count, map[string]any{"Count": count}))
	default:
		b.main.SetText(lang.N("Bring in {{.Count}} servers", count, map[string]any{"Count": count}))
	}
	kit.SetEnabled(b.main, count > 0 && !b.open())
	b.Refresh()
}

// open reports whether the user still has to agree to a use of a chosen server.
func (b *bringing) open() bool {
	return b.ask.File != "" && slices.ContainsFunc(b.chosen().Servers, func(server imports.Found) bool {
		return review.Open(server.Review().ToAgree(), b.agreed)
	})
}

// chosen returns the plan without the servers that are left out.
func (b *bringing) chosen() imports.Plan { return b.offer.Plan.Without(b.left) }

// bring writes the chosen servers, or moves them if the user has chosen that.
func (b *bringing) bring() {
	if b.move {
		b.moveChosen()
		return
	}
	b.main.Disable()
	b.screen.actions.Bring(b.offer, b.chosen(), b.keychain, func(err error) {
		switch {
		case b.gone:
		case err != nil:
			b.turn(func() { b.list(kit.ErrorSentence(err)) })
		default:
			b.close()
		}
	})
}
