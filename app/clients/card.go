package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// card gives the card of an app.
func (s *Screen) card(card Card) fyne.CanvasObject {
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	word := kit.Row(6, container.NewGridWrap(fyne.NewSquareSize(14), widget.NewIcon(card.State.Icon())),
		kit.NewText(card.Word, kit.TextStyle{Size: theme.SizeSmall, Color: card.State.Color()}))
	line := kit.NewFlow(8, word)
	if card.Used != "" {
		line.Add(kit.NewText(card.Used, small))
	}
	name := kit.Column(2, kit.NewText(card.Name, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}), line)
	head := container.NewBorder(nil, nil, kit.Row(0, kit.NewInitial(card.Name, initialSize), kit.NewGap(10, 1)), container.NewCenter(s.buttonsOf(card)), name)
	rest := kit.Column(8)
	for _, sentence := range card.Next {
		rest.Add(paragraph(sentence, kit.TextStyle{}))
	}
	if card.LeaveOut || card.Way == WayRepair {
		rest.Add(s.repairsOf(card))
	}
	if card.Proof != "" {
		rest.Add(paragraph(card.Proof, small))
	}
	if card.Limits != "" {
		rest.Add(paragraph(card.Limits, small))
	}
	for _, file := range card.Files {
		rest.Add(paragraph(file, small))
	}
	if card.ID == bundled && s.actions.Bundle.Place != nil && s.view.Problem == "" {
		// Without a ground, the space around its text is space of the card's.
		rest.Add(container.New(layout.NewCustomPaddedLayout(-6, -8, 0, 0), quiet(s.button(card.ID, "bundle", lang.L("Make a bundle…"), widget.LowImportance, s.makeBundle))))
	}
	if len(rest.Objects) == 0 {
		return kit.NewCard(head)
	}
	return kit.NewCard(kit.Column(8, head, container.NewBorder(nil, nil, kit.NewGap(initialSize+10, 1), nil, rest)))
}

// buttonsOf are what can be done with an app. One of them at most is the main one.
func (s *Screen) buttonsOf(card Card) fyne.CanvasObject {
	row := kit.Row(8, kit.NewGap(4, 1))
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
	row := kit.Row(8)
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
	return container.New(layout.NewCustomPaddedLayout(0, 0, -8, 0), kit.Row(0, button))
}
