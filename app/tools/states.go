package tools

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// blocked returns the state of the server if tools cannot be run in it now, or "" if they can.
func (v View) blocked() string {
	switch v.Status.State {
	case status.Connected, status.NotStarted, "": // running a tool starts the server
		return ""
	}
	return v.Shown.Word
}

// newInstead returns what the tab shows if there are no tools to list: the reason, and buttons that help.
func newInstead(view View, program Program) fyne.CanvasObject {
	title, state := view.Shown.Word, view.Shown.State
	words := []string{view.Shown.Detail}
	var buttons []fyne.CanvasObject
	button := func(label string, importance widget.Importance, tapped func()) {
		buttons = append(buttons, kit.NewButton(label, importance, tapped))
	}
	start := func() { program.Start(view.Target()) }
	switch at := view.Status.State; {
	case at != status.Connected && (view.Shown.Help == model.HelpReview || view.Shown.Help == model.HelpFill):
		// the server starts once the user has done this
		button(live.HelpWords(view.Shown.Help), widget.HighImportance, func() { program.Fix(view.Target()) })
	case at == status.Connected:
		if view.Err != nil {
			state, title = theme.StateWrong, lang.L("Its tools could not be read")
			words = []string{kit.Sentence(kit.SayError(view.Err))}
			button(lang.L("Try again"), widget.HighImportance, func() { program.Again(view.Target()) })
			button(lang.L("Show log"), widget.MediumImportance, func() { program.ShowLog(view.Target()) })
			break
		}
		if view.Status.AllTools > 0 { // the list of tools has not arrived yet
			state = theme.StateWorking
			title, words = lang.L("Asking the server for its tools…"), nil
			break
		}
		title = lang.L("This server has no tools")
		words = nil
	case at == status.Starting, at == status.Disabled:
	case at == status.NotStarted, at == "":
		words = []string{lang.L("Start it to see its tools.")}
		button(lang.L("Start"), widget.HighImportance, start)
	default:
		// otherwise Detail describes the problem in better words
		if problem := view.Status.Problem; problem != nil && view.Shown.Detail == "" {
			words = append(words, kit.Say(problem.Message), kit.Say(problem.Hint))
		}
		button(lang.L("Try again"), widget.HighImportance, start)
		button(lang.L("Show log"), widget.MediumImportance, func() { program.ShowLog(view.Target()) })
	}
	var more []fyne.CanvasObject
	for _, text := range words {
		if text != "" {
			more = append(more, kit.NewParagraph(text, kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}))
		}
	}
	if len(buttons) > 0 {
		more = append(more, container.NewCenter(kit.Row(kit.Gap, buttons...)))
	}
	return kit.NewEmpty(kit.WidthNote, state.Icon(), title, "", more...)
}
