package theme

import (
	"image/color"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
)

// Each mark belongs to an app or a server of the catalogue, and can be seen on its tile.
func TestMarks(t *testing.T) {
	unused := map[string]bool{}
	files, err := assets.Marks.ReadDir("marks")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		unused[strings.TrimSuffix(file.Name(), ".svg")] = true
	}
	for _, id := range ids() {
		mark, known := NewMark(id)
		if !known {
			continue
		}
		delete(unused, markOf(id))
		shape := color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
		if strings.Contains(string(mark.Icon.Content()), `fill="#14171C"`) {
			shape = color.NRGBA{0x14, 0x17, 0x1C, 0xFF}
		}
		if ratio := contrast(shape, mark.Fill); ratio < 2.5 {
			t.Errorf("the mark of %s has a contrast of %.1f", id, ratio)
		}
	}
	for name := range unused {
		t.Errorf("nothing has the mark %s", name)
	}
	if _, known := NewMark("../src/app"); known {
		t.Error("a name of a file is taken for an ID")
	}
}

func ids() []string {
	var all []string
	for _, known := range client.All() {
		all = append(all, known.ID)
	}
	for _, entry := range catalogue.All() {
		all = append(all, entry.ID)
	}
	return all
}
