package editor

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// header is the top of the screen: the name of the server, its state, and buttons.
type header struct {
	screen  *Screen
	program Program
	view    View
	look    headerLook
	drawn   bool // look was drawn

	tile   *kit.Tile // the mark of the server
	name   *kit.InPlace
	state  *widget.Icon
	wrong  *kit.Notes // says why an edit of the header failed
	word   *kit.Text
	detail *kit.Lines
	offer  *kit.Notes // offers to share the server

	fix, start, restart, stop, on *kit.Button
	more                          *kit.Button
	root                          fyne.CanvasObject
}

func newHeader(screen *Screen) *header {
	h := &header{
		screen: screen, program: screen.program,
		tile:   kit.NewEmptyTile(headTile),
		state:  widget.NewIcon(nil),
		wrong:  kit.NewNotes(),
		offer:  kit.NewNotes(),
		word:   kit.NewText("", kit.TextStyle{Shrinks: true}),
		detail: kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	h.name = kit.NewInPlace(kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		lang.L("Rename"), h.rename, h.grown)

	h.fix = kit.NewButton("", widget.HighImportance, func() { h.program.Fix(h.view.Choice) })
	h.start = kit.NewButton(lang.L("Start"), widget.MediumImportance, func() { h.program.Start(h.view.Choice) })
	h.restart = kit.NewButton(lang.L("Restart"), widget.MediumImportance, func() { h.program.Restart(h.view.Choice) })
	h.stop = kit.NewButton(lang.L("Stop"), widget.MediumImportance, func() { h.program.Stop(h.view.Choice) })
	h.on = kit.NewButton(lang.L("Switch on"), widget.MediumImportance, func() {
		h.edit(edit.Turn(h.view.Choice, "disabled", false), model.Choice{})
	})
	h.more = kit.NewMenuButton(lang.L("More"), h.menu)

	buttons := kit.Row(kit.Gap, h.fix, h.start, h.restart, h.stop, h.on, h.more)
	// If the name would be cut, the buttons go below it.
	whole := func() float32 { return headTile + kit.GapWide + h.name.Full() }
	top := kit.NewBesideWhole(whole, kit.Row(kit.GapWide, h.tile.Object, kit.Rest(h.name.Line)), buttons)
	state := kit.Row(kit.GapTight, kit.Sized(headState, headState, h.state), kit.Rest(h.word))
	h.root = kit.InsetSides(kit.Column(kit.GapTight, top, h.name.Problem, h.wrong.Root, state, h.detail, h.offer.Root),
		kit.GapBlock, kit.Gap, kit.GapEdge, kit.GapEdge)
	return h
}

const (
	headTile  = 32 // the size of the server's mark, in pixels
	headState = 14 // the size of the icon that shows the state
)

func (h *header) apply(view View) {
	another := view.Choice != h.view.Choice
	h.view = view
	if another {
		h.name.Field.Cancel()
	}
	words := view.Shown.Word
	if note := view.Shown.Note; note != words {
		words = kit.Facts(words, note)
	}
	state := view.Live.State
	off := view.Entry.Member("disabled").Is(jsonc.True)
	usable := view.Problem == ""
	waiting := view.Live.Changed
	look := headerLook{view.Server, view.Mark, words, view.Shown.Detail, view.Shown.State, state, off, usable, waiting,
		view.Shown.Help, view.Lack, live.Offer(view.Live)}
	if h.drawn && look == h.look {
		return
	}
	h.drawn, h.look = true, look
	h.state.SetResource(view.Shown.State.Icon())
	h.tile.Set(view.Mark, view.Server, view.Server)
	h.name.Set(view.Server)
	h.word.SetStyle(words, kit.TextStyle{Color: view.Shown.State.Color(), Shrinks: true})
	h.detail.Set(kit.Cut(view.Shown.Detail, maxDetail))
	help := view.Shown.Help
	if help == model.HelpShow { // no button: the field is on this page, with the problem beside it
		help = model.NoHelp
	}
	start, again := live.RunWords(state, view.Shown.State)
	fix, missed := cmp.Or(runtimes.LackLabel(view.Lack, false), live.HelpWords(help)), view.Lack.Runtime.ID != ""
	for button, text := range map[*kit.Button]string{h.fix: fix, h.start: start, h.restart: again} {
		button.SetText(text)
	}
	kit.SetVisible(h.fix, fix != "" && (!off || help == model.HelpFill))
	can := view.Live.Can()
	kit.SetVisible(h.start, !off && usable && !missed && can.Start)
	kit.SetVisible(h.restart, !off && usable && help != model.HelpAgain && can.Restart)
	kit.SetVisible(h.stop, !off && can.Stop)
	kit.SetVisible(h.on, off && usable)
	h.offer.Set(h.sharing())
	kit.Relayout(h.root)
	h.screen.arrange()
}

// headerLook is what the header shows. Two equal values look the same.
type headerLook struct {
	name, mark, words, detail string
	shape                     theme.State
	state                     status.State
	off, usable               bool
	waiting                   bool
	help                      model.Help
	lack                      model.Lack
	offer                     string
}

// maxDetail is how much of a server's message is shown, in characters. The Log tab shows all of it.
const maxDetail = 300

// sharing offers that the apps share the server. It says what that means for this server.
func (h *header) sharing() []kit.Note {
	if h.look.offer == "" || !h.look.usable {
		return nil
	}
	share := func() {
		h.edit([]edit.Op{edit.SetField{Target: h.view.Choice, Field: []string{"share"}, Value: jsonc.Value(true)}},
			model.Choice{})
	}
	return []kit.Note{{State: theme.StateIdle, Text: h.look.offer,
		Acts: []kit.Act{{Label: lang.L("Share one"), Do: share}}}}
}

// grown lays out the screen again after a change of height.
func (h *header) grown() {
	h.root.Refresh()
	h.screen.arrange()
}

// rename lets the user edit the name in place.
func (h *header) rename() {
	if h.view.Problem != "" {
		return
	}
	at := h.view.Choice
	h.name.Edit(kit.NameEdit{
		Text: at.Server, Check: h.checkName,
		Done: func(text string, saved, _ bool) {
			if saved {
				h.edit([]edit.Op{edit.RenameServer{Toolbox: at.Toolbox, Name: at.Server, To: text}},
					model.Choice{Toolbox: at.Toolbox, Server: text})
			}
		},
	})
}

// checkName returns a sentence that says why the server cannot have a name, or "" if it can.
func (h *header) checkName(name string) string {
	if err := edit.CheckName("server", name); err != nil {
		return kit.Sentence(kit.SayError(err))
	}
	if name != h.view.Server && slices.Contains(h.names(), name) {
		return lang.L("There is a server called “{{.Name}}” in this toolbox already.", map[string]any{"Name": kit.Line(name)})
	}
	return ""
}

// names returns the names of the servers in the toolbox.
func (h *header) names() []string {
	var names []string
	for _, toolbox := range h.view.Toolboxes {
		if toolbox.Name == h.view.Toolbox {
			for _, server := range toolbox.Servers {
				names = append(names, server.Name)
			}
		}
	}
	return names
}

// edit saves operations. Then it shows an entry, unless then is zero.
func (h *header) edit(ops []edit.Op, then model.Choice) {
	h.program.Edit(ops, func(err error) {
		var say []kit.Note
		if err != nil {
			say = []kit.Note{{State: theme.StateWrong,
				Text: lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": kit.Sentence(kit.SayError(err))})}}
		}
		h.wrong.Set(say)
		h.grown()
		if err == nil && then.Toolbox != "" {
			h.program.Show(then)
		}
	})
}

// menu returns the menu with the other actions.
func (h *header) menu() *fyne.Menu {
	toolbox, server := h.view.Toolbox, h.view.Server
	duplicate := fyne.NewMenuItem(lang.L("Duplicate"), func() {
		copied := edit.CopyName(server, h.names())
		h.edit([]edit.Op{edit.DuplicateServer{Toolbox: toolbox, Name: server, To: copied}},
			model.Choice{Toolbox: toolbox, Server: copied})
	})
	move := fyne.NewMenuItem(lang.L("Move to"), nil)
	var targets []*fyne.MenuItem
	for _, to := range h.view.Toolboxes {
		if to.Name == toolbox {
			continue
		}
		item := fyne.NewMenuItem(kit.Line(to.Name), func() {
			h.edit([]edit.Op{edit.MoveServer{Toolbox: toolbox, Name: server, ToToolbox: to.Name}},
				model.Choice{Toolbox: to.Name, Server: server})
		})
		_, item.Disabled = to.Server(server) // the name is taken
		targets = append(targets, item)
	}
	if len(targets) > 0 {
		move.ChildMenu = fyne.NewMenu("", targets...)
	} else {
		move.Disabled = true
	}
	off := h.view.Entry.Member("disabled").Is(jsonc.True)
	label := lang.L("Switch off")
	if off {
		label = lang.L("Switch on")
	}
	toggle := fyne.NewMenuItem(label, func() { h.edit(edit.Turn(h.view.Choice, "disabled", !off), model.Choice{}) })
	rename := fyne.NewMenuItem(lang.L("Rename"), h.rename)
	remove := fyne.NewMenuItem(lang.L("Delete"), func() {
		h.edit([]edit.Op{edit.RemoveServer{Toolbox: toolbox, Name: server}}, model.Choice{Toolbox: toolbox})
	})
	if h.view.Problem != "" {
		for _, item := range []*fyne.MenuItem{rename, duplicate, move, toggle, remove} {
			item.Disabled = true
		}
	}
	items := []*fyne.MenuItem{rename, duplicate, move, toggle}
	if h.view.Lack != (model.Lack{}) && !off { // the button at the top offers what the server lacks instead
		items = append(items, fyne.NewMenuItem(live.HelpWords(model.HelpCommand), func() { h.screen.FocusField("command") }))
	}
	if h.program.SignedIn(h.view.Choice) {
		items = append(items, fyne.NewMenuItem(lang.L("Sign out"), func() {
			h.program.SignOut(model.Choice{Toolbox: toolbox, Server: server})
		}))
	}
	return fyne.NewMenu("", append(items, fyne.NewMenuItemSeparator(), remove)...)
}
