package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// card gives the card of an app.
func (s *Screen) card(card Card) fyne.CanvasObject {
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	line := kit.NewFlow(kit.Gap, kit.Marked(card.State, kit.NewText(card.Word, kit.TextStyle{Size: theme.SizeSmall, Color: card.State.Color()})))
	if card.Used != "" {
		line.Add(kit.NewText(card.Used, small))
	}
	name := kit.Column(kit.GapHair, kit.NewText(card.Name, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}), line)
	head := kit.Row(kit.GapWide, kit.NewInitial(card.Name, initialSize), kit.Rest(name), s.buttonsOf(card))
	rest := kit.Column(kit.Gap)
	for _, sentence := range card.Next {
		rest.Add(kit.NewParagraph(sentence, kit.TextStyle{}))
	}
	if card.LeaveOut || card.Way == WayRepair {
		rest.Add(s.repairsOf(card))
	}
	for _, text := range append([]string{card.Proof, card.Limits}, card.Files...) {
		rest.Add(kit.NewParagraph(text, small))
	}
	if card.ID == bundled && s.actions.Bundle.Place != nil && s.view.Problem == "" {
		rest.Add(quiet(s.button(card.ID, "bundle", lang.L("Make a bundle…"), widget.LowImportance, s.makeBundle)))
	}
	return kit.NewCard(kit.Column(kit.Gap, head, kit.InsetSides(rest, 0, 0, initialSize+kit.GapWide, 0)))
}

// buttonsOf are what can be done with an app. One of them at most is the main one.
func (s *Screen) buttonsOf(card Card) fyne.CanvasObject {
	row := kit.Row(kit.Gap)
	if card.Import {
		row.Add(s.button(card.ID, "import", lang.L("Bring in its servers…"), widget.MediumImportance, func() { s.bringIn(card.ID, card.Name) }))
	}
	if card.Disconnect {
		row.Add(s.button(card.ID, "disconnect", lang.L("Disconnect…"), widget.MediumImportance, func() { s.propose(card.ID, card.Name, false) }))
	}
	if card.Way != NoWay && card.Way != WayRepair {
		importance := widget.HighImportance
		if card.State == theme.StateConnected {
			importance = widget.MediumImportance
		}
		row.Add(s.button(card.ID, "connect", card.WayWord, importance, func() { s.propose(card.ID, card.Name, true) }))
	}
	return row
}

// repairsOf are what can be done about what is wrong. They stand below the words that say what that is.
func (s *Screen) repairsOf(card Card) fyne.CanvasObject {
	row := kit.Row(kit.Gap)
	if card.LeaveOut {
		row.Add(s.button(card.ID, "leave", lang.L("Leave it out"), widget.MediumImportance, func() { s.actions.LeaveOut(card.ID) }))
	}
	if card.Way == WayRepair {
		row.Add(s.button(card.ID, "connect", card.WayWord, widget.HighImportance, func() { s.propose(card.ID, card.Name, true) }))
	}
	return row
}

// initialSize is that of the first letter of a name, in pixels.
const initialSize = 40

// quiet is a button without a ground among texts: its own text begins where theirs do.
func quiet(button *kit.Button) fyne.CanvasObject {
	return kit.Row(0, kit.Flush(button, true, false))
}
