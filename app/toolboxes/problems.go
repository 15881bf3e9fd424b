package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// maxProblems is how many problems are shown at once; who mends those sees the next.
const maxProblems = 30

// newProblems gives the card that lists what is wrong with the file, under the toolboxes of the last good version.
func newProblems(view View, actions Actions) fyne.CanvasObject {
	title := ProblemCount(view)
	if view.Broken {
		title = lang.L("The file cannot be used as it is now. Shown is its last good version.")
	}
	open := widget.NewButtonWithIcon(lang.L("Open the file"), base.DocumentIcon(), actions.OpenFile)
	// The space above brings the first line of the title level with the text of the button.
	heading := container.NewBorder(nil, nil, nil, container.NewVBox(open),
		container.NewVBox(kit.NewGap(0, 4), kit.NewParagraph(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true})))
	list := listProblems(view.Problems)
	scroll := container.NewVScroll(list)
	scroll.SetMinSize(fyne.NewSize(0, problemsHeight(view)))
	return kit.Inset(kit.NewCard(kit.Column(8, heading, scroll)), 12, 24)
}

// problemsHeight is how high the list of the problems is, in pixels. What keeps the file from being used gets room for two
// with long texts, what does not for one; the list scrolls to the rest.
func problemsHeight(view View) float32 {
	count := 1
	if view.Broken {
		count = min(len(view.Problems), 2)
	}
	return float32(count)*64 + 4
}

// listProblems gives the problems under each other.
func listProblems(problems []Problem) *fyne.Container {
	list := kit.Column(12)
	for i, problem := range problems {
		if i == maxProblems {
			list.Add(kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": len(problems) - maxProblems}),
				kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
			break
		}
		list.Add(newProblem(problem))
	}
	return list
}

func newProblem(problem Problem) fyne.CanvasObject {
	text := kit.Column(2, kit.NewText(problem.Place, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		kit.NewParagraph(problem.Message, kit.TextStyle{}))
	if problem.Hint != "" {
		text.Add(kit.NewParagraph(problem.Hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	mark := container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(problem.State.Icon()))
	return container.NewBorder(nil, nil, container.NewVBox(kit.NewGap(28, 1), mark), nil, text)
}

// newBroken gives what the whole screen shows when the file cannot be used and never could.
func newBroken(view View, actions Actions) fyne.CanvasObject {
	return kit.NewMiddle(620, kit.Column(16,
		container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(48), widget.NewIcon(theme.StateWrong.Icon()))),
		kit.NewText(lang.L("The configuration cannot be used"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Align: fyne.TextAlignCenter}),
		kit.NewParagraph(lang.L("As soon as the file is right, your toolboxes appear here."), kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		kit.NewCard(listProblems(view.Problems)),
		pathField(view.Path),
		container.NewCenter(kit.Row(8, fileButton(actions), folderButton(actions, widget.MediumImportance))),
	))
}

// newEmpty gives what the whole screen shows when there are no toolboxes.
func newEmpty(view View, actions Actions) fyne.CanvasObject {
	parts := []fyne.CanvasObject{
		container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(56), widget.NewIcon(theme.ToolboxIcon(theme.ColorAccent)))),
		kit.NewText(lang.L("No toolboxes yet"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Align: fyne.TextAlignCenter}),
		kit.NewParagraph(lang.L("A toolbox is a group of servers, and a server is a program that gives an AI app tools. Write your toolboxes into this file; they appear here when you save it."),
			kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		pathField(view.Path),
	}
	if len(view.Problems) > 0 {
		parts = append(parts, kit.NewCard(listProblems(view.Problems)))
	}
	parts = append(parts, container.NewCenter(folderButton(actions, widget.HighImportance)))
	return kit.NewMiddle(520, kit.Column(16, parts...))
}

func fileButton(actions Actions) fyne.CanvasObject {
	button := widget.NewButtonWithIcon(lang.L("Open the file"), base.DocumentIcon(), actions.OpenFile)
	button.Importance = widget.HighImportance
	return button
}

func folderButton(actions Actions, importance widget.Importance) fyne.CanvasObject {
	button := widget.NewButtonWithIcon(lang.L("Open configuration folder"), base.FolderOpenIcon(), actions.OpenFolder)
	button.Importance = importance
	return button
}

// pathField shows a path whole, so that it can be selected and copied.
func pathField(path string) fyne.CanvasObject {
	label := widget.NewLabel(path)
	label.Selectable = true
	label.Wrapping = fyne.TextWrapBreak
	label.Alignment = fyne.TextAlignCenter
	label.SizeName = theme.SizeSmall
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, label)
}
