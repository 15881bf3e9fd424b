package editor

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// header is the top of the screen: what the server is called, how it is doing, and what can be done with it.
type header struct {
	actions Actions
	view    View
	look    headerLook
	drawn   bool // the look is shown

	state  *widget.Icon
	name   *kit.Text
	rename *kit.Button
	entry  *kit.NameEntry
	named  *fyne.Container // the name or the field in its place
	nameAt fyne.CanvasObject
	wrong  *notes // with the name
	word   *kit.Text
	detail *paragraph

	fix, start, restart, stop, on *kit.Button
	more                          *kit.Button
	root                          fyne.CanvasObject
	resized                       func()
}

func newHeader(actions Actions, resized func()) *header {
	h := &header{
		actions: actions, resized: resized,
		state:  widget.NewIcon(nil),
		name:   kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		entry:  kit.NewNameEntry(),
		wrong:  newNotes(func(fyne.CanvasObject) {}),
		word:   kit.NewText("", kit.TextStyle{Shrinks: true}),
		detail: newParagraph(kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	h.rename = kit.NewIconButton(base.DocumentCreateIcon(), lang.L("Rename"), h.beginRename)
	h.nameAt = container.New(nameLayout{}, h.name, kit.Row(0, h.rename))
	h.entry.Hide()
	h.named = container.NewStack(h.nameAt, h.entry)

	button := func(label string, importance widget.Importance, do func(toolbox, server string)) *kit.Button {
		return kit.NewButton(label, importance, func() { do(h.view.Toolbox, h.view.Server) })
	}
	h.fix = button("", widget.HighImportance, func(t, s string) { h.actions.Fix(t, s) })
	h.start = button(lang.L("Start"), widget.MediumImportance, func(t, s string) { h.actions.Start(t, s) })
	h.restart = button(lang.L("Restart"), widget.MediumImportance, func(t, s string) { h.actions.Restart(t, s) })
	h.stop = button(lang.L("Stop"), widget.MediumImportance, func(t, s string) { h.actions.Stop(t, s) })
	h.on = button(lang.L("Switch on"), widget.MediumImportance, func(string, string) { h.edit(turn(h.target(), "disabled", false), "", "") })
	h.more = kit.NewMenuButton(lang.L("More"), h.menu)

	state := container.NewGridWrap(fyne.NewSquareSize(20), h.state)
	buttons := kit.Row(6, h.fix, h.start, h.restart, h.stop, h.on, h.more)
	top := container.New(&topLayout{name: h.name}, kit.Row(0, state, kit.NewGap(10, 0)), h.named, buttons)
	h.root = kit.Inset(kit.Column(4, top, h.wrong.box, h.word, h.detail.object), 16, 24)
	h.root.(*fyne.Container).Layout = insetColumn{16, 8, 24}
	return h
}

func (h *header) target() edit.Target {
	return edit.Target{Toolbox: h.view.Toolbox, Server: h.view.Server}
}

func (h *header) apply(view View) {
	another := view.Toolbox != h.view.Toolbox || view.Server != h.view.Server
	h.view = view
	if another && h.entry.Editing() {
		h.entry.Cancel()
	}
	words := view.Shown.Word
	if note := view.Shown.Note; note != "" && note != words {
		words += " · " + note
	}
	state := view.Live.State
	off := isTrue(view.Entry, "disabled")
	usable := view.Problem == ""
	waiting := view.Live.Changed
	look := headerLook{view.Server, words, view.Shown.Detail, view.Shown.State, state, off, usable, waiting, view.Shown.Help, view.Runtime}
	if h.drawn && look == h.look {
		return
	}
	h.drawn, h.look = true, look
	h.state.SetResource(view.Shown.State.Icon())
	h.name.Set(view.Server)
	h.word.SetStyle(words, kit.TextStyle{Color: view.Shown.State.Color(), Shrinks: true})
	h.detail.set(view.Shown.Detail)
	help := view.Shown.Help
	if help == live.HelpShow { // the field stands below, with what is said of it
		help = live.NoHelp
	}
	start, again := live.RunWords(state, view.Shown.State)
	fix, missed := help.Words(), view.Runtime.ID != ""
	switch {
	case view.Runtime.Busy:
		fix = lang.L("Cancel")
	case missed:
		fix = runtimes.Label(view.Runtime, false)
	}
	for button, text := range map[*kit.Button]string{h.fix: fix, h.start: start, h.restart: again} {
		if button.Text != text {
			button.SetText(text)
		}
	}
	kit.SetVisible(h.fix, h.actions.Fix != nil && !off && (missed || help != live.NoHelp))
	kit.SetVisible(h.start, h.actions.Start != nil && !off && usable && !view.Live.Paused && !waiting && !missed && (state == status.NotStarted || state == ""))
	kit.SetVisible(h.restart, h.actions.Restart != nil && !off && usable && help != live.HelpAgain && (state == status.Connected || state == status.Failed || state == status.Stopped))
	kit.SetVisible(h.stop, h.actions.Stop != nil && !off && (state == status.Connected || state == status.Starting))
	kit.SetVisible(h.on, off && usable)
	kit.Relayout(h.root)
	h.resized()
}

// headerLook is what the header shows, as a plain value.
type headerLook struct {
	name, words, detail string
	shape               theme.State
	state               status.State
	off, usable         bool
	waiting             bool
	help                live.Help
	runtime             model.Runtime
}

// beginRename lets the name be changed where it stands.
func (h *header) beginRename() {
	if h.view.Problem != "" {
		return
	}
	toolbox, server := h.view.Toolbox, h.view.Server
	h.nameAt.Hide()
	h.entry.Show()
	h.entry.Begin(kit.NameEdit{
		Text:  server,
		Check: h.checkName,
		Say: func(problem string) {
			var say []note
			if problem != "" {
				say = []note{{state: theme.StateWrong, text: problem}}
			}
			h.wrong.set(say)
			h.root.Refresh()
			h.resized()
		},
		Done: func(text string, saved, left bool) {
			h.entry.Hide()
			h.nameAt.Show()
			h.root.Refresh()
			if !left {
				kit.Focus(h.rename)
			}
			if saved {
				h.edit([]edit.Op{edit.RenameServer{Toolbox: toolbox, Name: server, To: text}}, toolbox, text)
			}
		},
	})
	kit.Focus(h.entry)
}

// checkName says why the server cannot be called so.
func (h *header) checkName(name string) string {
	if err := edit.CheckName("server", name); err != nil {
		return kit.Sentence(kit.SayError(err))
	}
	for _, taken := range h.names(h.view.Toolbox) {
		if taken == name && name != h.view.Server {
			return lang.L("There is a server of that name in this toolbox already.")
		}
	}
	return ""
}

func (h *header) names(toolbox string) []string {
	for _, t := range h.view.Toolboxes {
		if t.Name == toolbox {
			return t.Servers
		}
	}
	return nil
}

// edit saves operations; then the entry that they lead to is shown, unless its toolbox is empty.
func (h *header) edit(ops []edit.Op, toolbox, server string) {
	if h.actions.Edit == nil {
		return
	}
	h.actions.Edit(ops, func(err error) {
		var say []note
		if err != nil {
			say = []note{{state: theme.StateWrong, text: lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": kit.Sentence(kit.SayError(err))})}}
		}
		h.wrong.set(say)
		h.root.Refresh()
		h.resized()
		if err == nil && toolbox != "" && h.actions.Show != nil {
			h.actions.Show(toolbox, server)
		}
	})
}

// menu is what else can be done.
func (h *header) menu() *fyne.Menu {
	toolbox, server := h.view.Toolbox, h.view.Server
	duplicate := fyne.NewMenuItem(lang.L("Duplicate"), func() {
		copied := edit.CopyName(server, h.names(toolbox))
		h.edit([]edit.Op{edit.DuplicateServer{Toolbox: toolbox, Name: server, To: copied}}, toolbox, copied)
	})
	move := fyne.NewMenuItem(lang.L("Move to"), nil)
	var targets []*fyne.MenuItem
	for _, to := range h.view.Toolboxes {
		if to.Name == toolbox {
			continue
		}
		item := fyne.NewMenuItem(kit.Line(to.Name), func() {
			h.edit([]edit.Op{edit.MoveServer{Toolbox: toolbox, Name: server, ToToolbox: to.Name}}, to.Name, server)
		})
		for _, taken := range to.Servers {
			item.Disabled = item.Disabled || taken == server
		}
		targets = append(targets, item)
	}
	if len(targets) > 0 {
		move.ChildMenu = fyne.NewMenu("", targets...)
	} else {
		move.Disabled = true
	}
	off := isTrue(h.view.Entry, "disabled")
	label := lang.L("Switch off")
	if off {
		label = lang.L("Switch on")
	}
	toggle := fyne.NewMenuItem(label, func() { h.edit(turn(h.target(), "disabled", !off), "", "") })
	rename := fyne.NewMenuItem(lang.L("Rename"), h.beginRename)
	remove := fyne.NewMenuItem(lang.L("Delete"), func() {
		h.edit([]edit.Op{edit.RemoveServer{Toolbox: toolbox, Name: server}}, toolbox, "")
	})
	if h.view.Problem != "" {
		for _, item := range []*fyne.MenuItem{rename, duplicate, move, toggle, remove} {
			item.Disabled = true
		}
	}
	items := []*fyne.MenuItem{rename, duplicate, move, toggle}
	if h.actions.SignOut != nil && h.actions.SignedIn != nil && h.actions.SignedIn(toolbox, server) {
		items = append(items, fyne.NewMenuItem(lang.L("Sign out"), func() { h.actions.SignOut(toolbox, server) }))
	}
	return fyne.NewMenu("", append(items, fyne.NewMenuItemSeparator(), remove)...)
}

// topLayout has the buttons at the end of the line with the name, and below it where the name would be cut for their sake. Like text
// that wraps it knows its height once it has its width.
type topLayout struct {
	name  *kit.Text
	width float32
}

const buttonGap = 8 // between the name and the buttons, in pixels

// below reports whether the buttons get a line of their own.
func (t *topLayout) below(mark, named, buttons fyne.CanvasObject) bool {
	rest := named.MinSize().Width - leastName // of what follows the name
	least := t.name.Full().Width + rest + 4
	return t.width > 0 && mark.MinSize().Width+least+buttonGap+buttons.MinSize().Width > t.width
}

func (t *topLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	mark, named, buttons := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	line := max(mark.Height, named.Height)
	if t.below(objects[0], objects[1], objects[2]) {
		return fyne.NewSize(max(mark.Width+named.Width, buttons.Width), line+4+buttons.Height)
	}
	return fyne.NewSize(max(mark.Width+named.Width, buttons.Width), max(line, buttons.Height))
}

func (t *topLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	t.width = size.Width
	mark, named, buttons := objects[0], objects[1], objects[2]
	below := t.below(mark, named, buttons)
	least := buttons.MinSize()
	line, room := max(mark.MinSize().Height, named.MinSize().Height), size.Width-mark.MinSize().Width
	buttons.Resize(least)
	if below {
		buttons.Move(fyne.NewPos(0, line+4))
	} else {
		line = size.Height
		room -= buttonGap + least.Width
		buttons.Move(fyne.NewPos(size.Width-least.Width, (size.Height-least.Height)/2))
	}
	mark.Resize(fyne.NewSize(mark.MinSize().Width, line))
	named.Move(fyne.NewPos(mark.MinSize().Width, 0))
	named.Resize(fyne.NewSize(room, line))
}

// leastName is what of a name is always there, in pixels.
const leastName = 60

// nameLayout has a name that may be shortened, and a button that follows it.
type nameLayout struct{}

func (nameLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	name, button := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(leastName+button.Width, max(name.Height, button.Height))
}

func (nameLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	button := objects[1].MinSize().Width
	width := max(0, min(objects[0].(*kit.Text).Full().Width, size.Width-4-button))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+4, 0))
	objects[1].Resize(fyne.NewSize(button, size.Height))
}

// insetColumn is space around one object, with other space below than above.
type insetColumn struct{ top, bottom, side float32 }

func (i insetColumn) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[0].MinSize()
	return fyne.NewSize(size.Width+2*i.side, size.Height+i.top+i.bottom)
}

func (i insetColumn) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(i.side, i.top))
	objects[0].Resize(fyne.NewSize(size.Width-2*i.side, size.Height-i.top-i.bottom))
}

// paragraph is a text that wraps and can be changed.
type paragraph struct {
	object *fyne.Container
	style  kit.TextStyle
	text   string
}

func newParagraph(style kit.TextStyle) *paragraph {
	p := &paragraph{object: container.NewStack(), style: style}
	p.object.Hide()
	return p
}

func (p *paragraph) set(text string) {
	if text == p.text {
		return
	}
	p.text = text
	p.object.RemoveAll()
	// One sentence of a server is enough; the Log tab has all of it.
	if runes := []rune(strings.TrimSpace(text)); len(runes) > 300 {
		text = string(runes[:300]) + "…"
	}
	p.object.Add(kit.NewParagraph(text, p.style))
	kit.SetVisible(p.object, text != "")
}
