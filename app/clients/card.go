package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// card returns the card of an app: its state in one line, a button for the most useful action, and a menu. More text
// is shown only if the user has to do something; the rest is folded away.
func (s *Screen) card(card Card) fyne.CanvasObject {
	line := kit.NewFlow(kit.Gap, kit.Marked(card.State,
		kit.NewText(card.Word, kit.TextStyle{Size: theme.SizeSmall, Color: card.State.Color()})))
	if card.Used != "" {
		line.Add(kit.NewText(card.Used, kit.Small()))
	}
	more := kit.Column(kit.GapTight)
	if card.Limits != "" {
		more.Add(kit.NewParagraph(card.Limits, kit.Small()))
		kit.SetVisible(more, s.kept.Noted[card.ID])
		link := kit.NewLink(lang.L("Good to know"), theme.SizeSmall, func() {
			s.kept.Noted[card.ID] = !s.kept.Noted[card.ID]
			kit.SetVisible(more, s.kept.Noted[card.ID])
			s.page.Arrange()
		})
		s.links[card.ID] = link
		line.Add(link)
	}
	name := kit.Column(kit.GapHair,
		kit.NewText(card.Name, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}), line)
	head := kit.Row(kit.GapWide, kit.NewTile(card.ID, card.Name, initialSize), kit.Rest(name), s.buttonsOf(card))
	rest := kit.Column(kit.Gap)
	for _, sentence := range card.Next {
		rest.Add(kit.NewParagraph(sentence, kit.TextStyle{}))
	}
	if card.LeaveOut {
		rest.Add(s.repairsOf(card))
	}
	if len(card.Twice) > 0 {
		said := kit.NewMarked(theme.StateNotice, HasTwice(card.Name, card.Twice))
		rest.Add(kit.Row(kit.GapWide, kit.Rest(said),
			s.button(card.ID, "twice", lang.L("Remove them…"), widget.MediumImportance, func() { s.takeOutTwice(card) })))
	}
	if len(card.Toolboxes) > 0 {
		rest.Add(quiet(s.boxesButton(card, card.ID)))
	}
	rest.Add(more)
	return kit.NewCard(kit.Column(kit.Gap, head, kit.InsetSides(rest, 0, 0, initialSize+kit.GapWide, 0)))
}

// buttonsOf returns the button for the most useful action, and the menu with all others.
func (s *Screen) buttonsOf(card Card) fyne.CanvasObject {
	row := kit.Row(kit.Gap)
	bring := func() { s.bringIn(card.ID, card.Name) }
	importing := card.Import
	switch {
	case card.Way != "" && !card.LeaveOut:
		importance := widget.HighImportance
		if card.State == theme.StateConnected {
			importance = widget.MediumImportance
		}
		row.Add(s.button(card.ID, "connect", card.Way, importance, func() { s.connect(card) }))
	case card.Import && !card.Disconnect && !card.LeaveOut: // there is nothing else to do
		importing = false
		row.Add(s.button(card.ID, "import", lang.L("Bring in its servers…"), widget.MediumImportance, bring))
	}
	var items []*fyne.MenuItem
	if importing {
		items = append(items, fyne.NewMenuItem(lang.L("Bring in its servers…"), bring))
	}
	if card.Disconnect {
		items = append(items, fyne.NewMenuItem(lang.L("Disconnect…"), func() { s.disconnect(card) }))
	}
	if card.ID == bundleApp && s.view.Problem == "" {
		items = append(items, fyne.NewMenuItem(lang.L("Make a bundle…"), s.makeBundle))
	}
	for i, file := range card.Files {
		items = append(items, fyne.NewMenuItem(lang.L("Copy the path: {{.File}}", map[string]any{"File": kit.Line(file)}),
			func() {
				s.actions.Copy(card.Paths[i])
				s.actions.Say(lang.L("Copied"))
			}))
	}
	if len(items) > 0 {
		button := kit.NewMenuButton(lang.L("More about {{.App}}", map[string]any{"App": card.Name}), func() *fyne.Menu {
			return fyne.NewMenu("", items...)
		})
		s.buttons[card.ID+" more"] = button
		s.menus[card.ID] = items
		row.Add(button)
	}
	return row
}

// repairsOf returns the buttons for an app whose entry another program has removed: one leaves the entry out, and one
// puts it back, if that is possible.
func (s *Screen) repairsOf(card Card) fyne.CanvasObject {
	row := kit.Row(kit.Gap, s.button(card.ID, "leave", lang.L("Leave it disconnected"), widget.MediumImportance, func() {
		s.actions.LeaveOut(card.ID)
	}))
	if card.Way != "" {
		row.Add(s.button(card.ID, "connect", card.Way, widget.HighImportance, func() { s.connect(card) }))
	}
	return row
}

// boxesMenu returns a menu with a tick for each toolbox that an app sees.
func (s *Screen) boxesMenu(card Card, app string) *fyne.Menu {
	menu := fyne.NewMenu("")
	for _, tick := range card.Toolboxes {
		item := fyne.NewMenuItem(kit.Line(tick.Toolbox), func() { s.actions.ShowTo(tick.Toolbox, app, !tick.On) })
		item.Checked = tick.On
		menu.Items = append(menu.Items, item)
	}
	return menu
}

// initialSize is the size of the picture with the first letter of a name, in pixels.
const initialSize = 40

// quiet places a button without a background so that its text is in line with the texts above and below it.
func quiet(button *kit.Button) fyne.CanvasObject {
	return kit.Row(0, kit.Flush(button, true, false))
}
