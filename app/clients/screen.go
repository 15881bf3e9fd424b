package clients

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// Actions are what the controls of the screen do, on the goroutine of the window. They must not block. They call done
// on that goroutine too. After each change, the screen gets a new View. [Service] has them.
type Actions interface {
	// Find looks for apps again.
	Find()

	// Plan finds out how connecting or disconnecting an app would change its file.
	Plan(id string, connect bool, done func(Proposal, error))

	// Carry carries out a plan. If wait is set, it first waits until the user quits the app, or until ctx ends.
	Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error))

	// PutBack puts servers back into the files from which they were moved.
	PutBack(files []setup.MovedFile, done func(error))

	// LeaveOut accepts that the entry of an app was removed, so that the user is not asked again.
	LeaveOut(id string)

	// ShowTo sets whether an app sees a toolbox.
	ShowTo(toolbox, app string, on bool)

	// Toolboxes returns the names of all toolboxes.
	Toolboxes() []string

	Importing
	Bundling
	Serving
	Window
}

// Window is what the screen needs of the window.
type Window interface {
	ShowDialog(dialog.Dialog) // Esc closes the dialog, whatever has the focus
	PickFile(done func(path string))
	OpenPath(folder string) // in the file manager of the system
	Copy(text string)
	Say(text string) // for a while
}

// Proposal is how connecting or disconnecting an app would change its file.
type Proposal = model.Proposal

// Screen draws a [View]. Call its methods only on the goroutine of the window.
type Screen struct {
	actions Actions
	window  fyne.Window
	view    View
	drawn   string // the View that is drawn, as text

	stage   *kit.Stage
	page    *kit.Page
	list    *fyne.Container
	buttons map[string]*kit.Button      // by the id of the app and the action
	links   map[string]*kit.Link        // the links "Good to know", by the id of the app
	menus   map[string][]*fyne.MenuItem // the menus of the cards, by the id of the app

	kept *model.Opened

	served *kit.Switch // of the card for apps that use HTTP

	dialog  *sheet // the open dialog, or nil
	focused string // key of the control that had the focus before draw, or ""
}

// New returns an empty screen for a window. Apply fills it. kept says what is open.
func New(window fyne.Window, actions Actions, kept *model.Opened) *Screen {
	s := &Screen{actions: actions, window: window, list: kit.Column(kit.GapWide), stage: kit.NewStage(),
		buttons: map[string]*kit.Button{}, links: map[string]*kit.Link{}, menus: map[string][]*fyne.MenuItem{}, kept: kept}
	if kept.Noted == nil {
		kept.Noted = map[string]bool{}
	}
	s.served = s.newServed()
	title := kit.NewText(lang.L("AI apps"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	again := s.button("", "look", lang.L("Look again"), widget.LowImportance, s.actions.Find)
	words := kit.NewParagraph(lang.L("A connected app starts Workbench by itself and gets your toolboxes."),
		kit.TextStyle{Color: theme.ColorMuted})
	file := s.button("", "file", lang.L("Bring in from a file…"), widget.LowImportance, func() {
		s.actions.PickFile(s.BringFile)
	})
	// the text of “Look again” ends where the cards end
	head := kit.Row(0, kit.Rest(title), file, kit.Flush(again, false, true))
	s.page = kit.NewPage(kit.NewCentred(kit.WidthPage, kit.GapEdge,
		kit.Column(kit.GapBlock, kit.Column(kit.GapTight, head, words), s.list)))
	return s
}

// Page returns the page with the cards.
func (s *Screen) Page() *kit.Page { return s.page }

// Object returns what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.stage.Root }

// Apply shows view.
func (s *Screen) Apply(view View) {
	s.view = view
	s.served.Follow(view.Served.On)
	kit.SetEnabled(s.served, !view.Served.Fixed)
	drawn := fmt.Sprintf("%#v", view)
	if drawn == s.drawn {
		return
	}
	s.drawn = drawn
	if view.Known && len(view.Cards) == 0 {
		s.stage.ShowOnce(s.newEmpty())
		return
	}
	s.draw()
	s.stage.Show(s.page)
	s.page.Arrange()
	if s.dialog == nil {
		s.restoreFocus()
	}
}

// draw makes the cards again. It remembers which control has the focus, for restoreFocus.
func (s *Screen) draw() {
	for key, button := range s.buttons {
		if button.Focused() {
			s.focused = key
		}
	}
	for id, link := range s.links {
		if link.Focused() {
			s.focused = id + " know"
		}
	}
	clear(s.links)
	clear(s.menus)
	s.list.RemoveAll()
	maps.DeleteFunc(s.buttons, func(key string, _ *kit.Button) bool { return key != " look" && key != " file" })
	if s.view.Problem != "" {
		s.list.Add(kit.NewCard(kit.NewMarked(theme.StateWrong, s.view.Problem)))
	}
	if s.view.Note != "" {
		s.list.Add(kit.NewCard(kit.NewMarked(theme.StateNotice, s.view.Note)))
	}
	if !s.view.Known {
		s.list.Add(kit.NewText(lang.L("Looking for AI apps…"), kit.TextStyle{Color: theme.ColorMuted}))
	}
	for _, card := range s.view.Cards {
		s.list.Add(s.card(card))
	}
	if slices.ContainsFunc(s.view.Cards, Card.leaves) {
		s.list.Add(kit.Inset(quiet(s.button("", "disconnect", lang.L("Disconnect all…"), widget.LowImportance,
			s.disconnectAll)), 0, kit.GapTight))
	}
	if s.view.Served.Known {
		s.list.Add(s.servedCard(s.view.Served))
	}
	if len(s.view.Also) > 0 {
		s.list.Add(kit.Inset(s.also(lang.L("Also works with")), kit.GapTight, kit.GapTight))
	}
}

// restoreFocus focuses the control that had the focus before draw. If that no longer exists, it focuses another
// control of the same card.
func (s *Screen) restoreFocus() {
	key := s.focused
	s.focused = ""
	if key == "" {
		return
	}
	places := []string{key}
	if id, what, _ := strings.Cut(key, " "); what == "know" && s.links[id] != nil {
		s.window.Canvas().Focus(s.links[id])
		return
	} else if id != "" { // a button for all apps has no other button on a card to go to
		places = append(places, id+" connect", id+" import", id+" more")
	}
	for _, key := range append(places, " look") {
		if button := s.buttons[key]; button != nil {
			if !button.Focused() {
				s.window.Canvas().Focus(button)
			}
			return
		}
	}
}

// InstallOne says what to do on a computer without AI apps.
func InstallOne() string {
	return lang.L("Install one, such as Claude Desktop, Cursor or VS Code, start it once, and look again.")
}

// also shows the apps that are not on this computer below a title.
func (s *Screen) also(title string) fyne.CanvasObject {
	names := kit.NewFlow(kit.GapTight)
	for _, name := range s.view.Also {
		names.Add(kit.NewChip(kit.NewText(name, kit.Small())))
	}
	return kit.Column(kit.Gap, kit.NewText(title, kit.TextStyle{Size: theme.SizeSmall, Bold: true,
		Color: theme.ColorMuted, Shrinks: true}), names)
}

// newEmpty returns what the screen shows if no app was found.
func (s *Screen) newEmpty() fyne.CanvasObject {
	var more []fyne.CanvasObject
	if s.view.Problem != "" {
		more = append(more, kit.NewCard(kit.NewMarked(theme.StateWrong, s.view.Problem)))
	}
	more = append(more, s.button("", "again", lang.L("Look again"), widget.HighImportance, s.actions.Find))
	if s.view.Served.Known {
		more = append(more, s.servedCard(s.view.Served))
	}
	if len(s.view.Also) > 0 {
		more = append(more, s.also(lang.L("Works with")))
	}
	return kit.NewEmpty(520, base.NewColoredResource(base.ComputerIcon(), theme.ColorMuted), lang.L("No AI app found"),
		InstallOne(), more...)
}

// button returns a button and remembers it by the id of its app, which is empty for all apps, and its action.
func (s *Screen) button(id, action, text string, importance widget.Importance, tapped func()) *kit.Button {
	button := kit.NewButton(text, importance, tapped)
	s.buttons[id+" "+action] = button
	return button
}
