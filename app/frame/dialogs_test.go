package frame

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

func TestFileURL(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a b/c#d.json": "file:///home/a%20b/c%23d.json",
		"C:/Users/x/y.json":  "file:///C:/Users/x/y.json",
	} {
		if got := fileURL(path).String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestPlacesAreTranslated checks all places that Fyne's file dialog can show. Which of them it shows depends on the
// computer.
func TestPlacesAreTranslated(t *testing.T) {
	voice := locale.Install()
	voice.Alter(wordstest.Alter)
	t.Cleanup(func() { voice.Speak("en") })
	places := []string{"Home", "Computer", "Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos", "Movies",
		"C:"}
	list := widget.NewList(func() int { return len(places) },
		func() fyne.CanvasObject { return container.NewHBox(widget.NewIcon(nil), widget.NewLabel("")) },
		func(id widget.ListItemID, row fyne.CanvasObject) {
			row.(*fyne.Container).Objects[1].(*widget.Label).SetText(places[id])
		})
	translatePlaces(container.NewBorder(nil, nil, nil, nil, container.NewHSplit(list, widget.NewLabel(""))))
	row := list.CreateItem()
	for id, english := range places {
		list.UpdateItem(id, row)
		got := row.(*fyne.Container).Objects[1].(*widget.Label).Text
		if drive := english == "C:"; (got == english) != drive {
			t.Errorf("%s is %s", english, got)
		}
	}
}
