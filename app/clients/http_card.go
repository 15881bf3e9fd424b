package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Serving is what the card "Over HTTP" does.
type Serving interface {
	// Serve switches it on or off.
	Serve(on bool)

	// AddToken makes a token for an app. RemoveToken removes it.
	AddToken(name string, done func(token string, err error))
	RemoveToken(name string, done func(error))
}

// servedID is the id of the card.
const servedID = "http:"

// newServed returns the switch of the card. It is made once, so that it keeps the focus when the card is drawn again.
func (s *Screen) newServed() *kit.Switch { return kit.NewSwitch(lang.L("Over HTTP"), s.actions.Serve) }

// servedCard returns the card for apps that cannot start a program.
func (s *Screen) servedCard(served ServedCard) fyne.CanvasObject {
	name := kit.Column(kit.GapHair,
		kit.NewText(lang.L("Over HTTP"), kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}),
		kit.NewParagraph(lang.L("For apps that cannot start a program, such as n8n. Each of them needs a token."),
			kit.Small()))
	rest := kit.Column(kit.Gap)
	if served.Problem != "" {
		rest.Add(kit.NewMarked(theme.StateWrong, served.Problem))
	}
	if served.Fixed {
		rest.Add(kit.NewMarked(theme.StateNotice, lang.L("It was started outside of this window.")))
	}
	if served.Address != "" {
		rest.Add(s.copied("address", lang.L("Address"), served.Address))
	}
	for _, card := range served.Cards {
		rest.Add(s.tokenRow(card))
	}
	if served.On || len(served.Cards) > 0 {
		rest.Add(kit.Row(kit.Gap, s.button(servedID, "token", lang.L("New token…"), widget.MediumImportance, s.newToken)))
	}
	head := kit.Row(kit.GapWide, kit.NewTile("", "HTTP", initialSize), kit.Rest(name), s.served)
	return kit.NewCard(kit.Column(kit.Gap, head, kit.InsetSides(rest, 0, 0, initialSize+kit.GapWide, 0)))
}

// copied returns a text that is copied with a button.
func (s *Screen) copied(does, label, text string) fyne.CanvasObject {
	return kit.Row(kit.Gap, kit.NewText(label, kit.Small()), kit.Rest(command(text)),
		s.button(servedID, does, lang.L("Copy"), widget.MediumImportance, func() {
			s.actions.Copy(text)
			s.actions.Say(lang.L("Copied"))
		}))
}

// tokenRow shows an app that has a token.
func (s *Screen) tokenRow(card Card) fyne.CanvasObject {
	line := kit.NewFlow(kit.Gap)
	if card.Used != "" {
		line.Add(kit.Marked(card.State,
			kit.NewText(card.Used, kit.TextStyle{Size: theme.SizeSmall, Color: card.State.Color()})))
	}
	if len(card.Toolboxes) > 0 {
		line.Add(quiet(s.boxesButton(card, card.Name)))
	}
	return kit.Column(kit.GapHair, widget.NewSeparator(), kit.Row(kit.GapWide,
		kit.Rest(kit.Column(0, kit.NewText(card.Name, kit.TextStyle{Bold: true, Shrinks: true}), line)),
		s.button(card.ID, "connect", lang.L("Delete…"), widget.LowImportance, func() { s.removeToken(card) })))
}

// boxesButton returns the button that says how many toolboxes an app sees, and lets the user choose them. app is what
// the configuration calls the app.
func (s *Screen) boxesButton(card Card, app string) *kit.Button {
	var boxes *kit.Button
	boxes = s.button(card.ID, "boxes", card.toolboxesWords(), widget.LowImportance, func() {
		boxes.ShowMenu(s.boxesMenu(card, app))
	})
	boxes.Icon, boxes.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	return boxes
}

// newToken asks for the name of an app, makes its token and shows it, once.
func (s *Screen) newToken() {
	sh, typed := s.open(), ""
	sh.turn(func() { s.askName(sh, &typed) })
}

// askName asks for the name of an app. typed is what the user has typed.
func (s *Screen) askName(sh *sheet, typed *string) {
	sh.SetTitle(lang.L("Over HTTP"))
	name := kit.NewInput("")
	name.Text = *typed
	name.OnChanged = func(text string) { *typed = text }
	problem := kit.NewLines(2, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})
	var add *kit.Button
	add = kit.NewButton(lang.L("Continue"), widget.HighImportance, func() {
		add.Disable()
		s.actions.AddToken(name.Text, func(token string, err error) {
			add.Enable()
			if err != nil {
				problem.Set(kit.ErrorSentence(err))
				sh.page.Arrange()
				return
			}
			sh.turn(func() { s.showToken(sh, *typed, token) })
		})
	})
	name.OnSubmitted = func(string) { add.OnTapped() }
	sh.show([]fyne.CanvasObject{kit.Column(kit.GapTight, kit.NewText(lang.L("Name of the app"), kit.TextStyle{}), name,
		problem)}, sh.cancel(lang.L("Cancel")), add)
	s.window.Canvas().Focus(name)
}

// showToken shows a token that was made.
func (s *Screen) showToken(sh *sheet, app, token string) {
	sh.SetTitle(lang.L("Over HTTP"))
	sh.show([]fyne.CanvasObject{
		kit.NewParagraph(lang.L("Copy the token of {{.App}} now: it is not shown again. Apps call it a Bearer token or an "+
			"API key.", map[string]any{"App": app}), kit.TextStyle{}),
		kit.Row(kit.Gap, kit.Rest(command(token)), sh.copyButton(token, widget.HighImportance)),
	}, kit.NewButton(lang.L("Done"), widget.MediumImportance, sh.close))
}

// removeToken asks, and then removes the token of an app.
func (s *Screen) removeToken(card Card) {
	sh := s.open()
	sh.turn(func() { s.askRemoval(sh, card.Name, nil) })
}

// askRemoval asks whether to remove the token of an app. problem is why that has failed, or nil.
func (s *Screen) askRemoval(sh *sheet, app string, problem error) {
	sh.SetTitle(app)
	var body []fyne.CanvasObject
	if problem != nil {
		body = append(body, kit.NewMarked(theme.StateWrong, kit.ErrorSentence(problem)))
	}
	body = append(body, kit.NewParagraph(lang.L("{{.App}} can no longer use Workbench then.",
		map[string]any{"App": app}), kit.TextStyle{}))
	remove := kit.NewButton(lang.L("Delete"), widget.DangerImportance, func() {
		s.actions.RemoveToken(app, func(err error) {
			if err != nil {
				sh.turn(func() { s.askRemoval(sh, app, err) })
				return
			}
			sh.close()
		})
	})
	sh.show(body, remove, sh.cancel(lang.L("Keep")))
}
