package frame

import (
	"cmp"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Sizes of the list of keys, in pixels.
const (
	keysWidth      = 212 // of the column with the keys
	keysSheetWidth = 720
)

// ShowKeys shows the list of keys over the window.
func (w *Window) ShowKeys() {
	rows := kit.Column(kit.Gap)
	for _, row := range keys(runtime.GOOS == "darwin", w.places.Keys()) {
		key := kit.NewText(row[0], kit.TextStyle{Size: theme.SizeSmall, Bold: true})
		does := kit.NewParagraph(row[1], kit.Small())
		rows.Add(kit.Row(0, kit.Sized(keysWidth, 0, key), kit.Rest(does)))
	}
	shown, _ := kit.NewScrollingQuestion(lang.L("Keyboard"), keysSheetWidth, rows, w.Window)
	shut := kit.NewButton(lang.L("Close"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{shut})
	shown.SetAgain(w.ShowKeys)
	w.ShowDialog(shown)
	w.Window.Canvas().Focus(shut)
}

// escThenTab names the keys that leave a text with several lines.
func escThenTab(mac bool) string {
	if mac {
		return "Esc, Tab"
	}
	return lang.L("Esc, then Tab")
}

// keys returns the keys of the window, each with what it does. screens are the screens that have a key.
func keys(mac bool, screens []Listed) [][2]string {
	all := [][2]string{
		{"Tab, Shift+Tab", lang.L("Goes to the next control, or back. Enter or the space bar presses it.")},
		{"Esc", lang.L("Closes a dialog, or goes back.")},
		{"Ctrl+K", lang.L("Find anything")},
		{"Ctrl+N", lang.L("Add a server")},
		{"Ctrl+V", lang.L("On the toolboxes screen: adds the server that is on the clipboard.")},
		{"Ctrl+F", lang.L("Search")},
		{"Ctrl+S", lang.L("Applies what you have typed, or saves the text of the file.")},
		{"Ctrl+Z, Ctrl+Shift+Z", lang.L("Undoes and redoes.")},
		{"F2", lang.L("Rename")},
		{"Del", lang.L("Delete")},
		{"Ctrl+Up, Ctrl+Down", lang.L("Moves it. “Move to” in the menu of a server moves it to another toolbox.")},
		{"Menu, Shift+F10", lang.L("Opens the menu of a server or toolbox.")},
		{"Ctrl+Tab", lang.L("Goes to the next tab of a server.")},
		{"Ctrl+Enter", lang.L("Run")},
		{escThenTab(mac), lang.L("Leaves a text field with several lines. There, Tab indents the text.")},
	}
	if mac {
		all = append(all, [2]string{"Ctrl+,", lang.L("Settings")})
	}
	for i, screen := range screens {
		all = slices.Insert(all, 2+i, [2]string{"Ctrl+" + string(screen.Key), cmp.Or(screen.Says, screen.Bar.Word)})
	}
	for i := range all {
		all[i][0] = kit.KeysOn(mac, all[i][0])
	}
	return all
}
