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

// newBroken returns the content of the screen if the file has been unusable since the start: the problems with their
// place and a button that repairs each, and buttons to open the file and its folder. The file is not overwritten
// without asking.
func (s *Screen) newBroken(view View) fyne.CanvasObject {
	buttons := kit.Row(kit.GapTight)
	importance := widget.HighImportance
	if view.Repairable() {
		buttons.Add(kit.NewButton(lang.L("Repair everything"), importance, s.repairAll))
		importance = widget.MediumImportance
	}
	file := kit.NewButton(lang.L("Open the file"), importance, s.program.OpenFile)
	file.SetIcon(base.DocumentIcon())
	folder := kit.NewButton(lang.L("Open folder"), widget.MediumImportance, s.program.OpenFolder)
	folder.SetIcon(base.FolderOpenIcon())
	buttons.Add(file)
	buttons.Add(folder)
	return kit.NewEmpty(620, theme.StateWrong.Icon(), lang.L("The configuration file has an error"),
		lang.L("Once the file is fixed, your toolboxes appear here. Workbench does not change it until then."),
		s.strip.newList(view), pathField(view.Path), container.NewCenter(buttons))
}

// newEmpty returns the content of the screen if there are no toolboxes: the ways to get the first one.
func (s *Screen) newEmpty(view View) fyne.CanvasObject {
	title, choices := lang.L("No toolboxes yet"), kit.Column(kit.GapWide)
	if view.Gone {
		title = lang.L("The file with your toolboxes is gone")
		choices.Add(newBigChoice(base.ContentUndoIcon(), lang.L("Put it back as it was"), view.Path, true, s.program.PutBack))
	}
	choices.Objects = append(choices.Objects,
		newBigChoice(base.SearchIcon(), lang.L("Add from the catalogue"),
			lang.L("Files, web search, GitHub and more: pick one and fill in what it needs."), !view.Gone, func() {
				s.program.Add("")
			}),
		newBigChoice(base.ContentPasteIcon(), lang.L("Paste"),
			lang.L("What the instructions of a server say: a command, an address or a piece of JSON. Or drop "+
				"a file here."), false, s.Paste))
	if s.program.CanImport() {
		choices.Add(newBigChoice(base.DownloadIcon(), lang.L("Bring in from an AI app"),
			lang.L("The servers of Claude Desktop, Cursor, VS Code and others."), false, s.program.Import))
	}
	choices.Add(newBigChoice(base.ContentAddIcon(), lang.L("Start with an empty toolbox"),
		lang.L("Name it, say what it is for, and put servers into it one by one."), false, s.firstToolbox))
	parts := []fyne.CanvasObject{choices}
	if len(view.Problems) > 0 {
		parts = append(parts, s.strip.newList(view))
	}
	return kit.NewEmpty(520, theme.ToolboxIcon(theme.ColorAccent), title,
		lang.L("A toolbox is a group of servers. A server is a program that gives AI apps tools. How would you like to "+
			"begin?"), parts...)
}

// pathField shows a whole path that can be selected and copied.
func pathField(path string) fyne.CanvasObject {
	label := kit.NewSelectable(path, kit.TextStyle{Size: theme.SizeSmall, Align: fyne.TextAlignCenter})
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, label)
}
