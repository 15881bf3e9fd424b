package theme

import (
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

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

// Each mark is drawn. Fyne draws some arcs wrong, and leaves out a mark with arcs whose flags are not apart, so marks
// have none.
func TestMarksAreDrawn(t *testing.T) {
	test.NewTempApp(t)
	for _, id := range ids() {
		mark, known := NewMark(id)
		if !known {
			continue
		}
		_, path, _ := strings.Cut(string(mark.Icon.Content()), ` d="`)
		if path, _, _ = strings.Cut(path, `"`); strings.ContainsAny(path, "Aa") {
			t.Errorf("the mark of %s has arcs", id)
		}
		image := canvas.NewImageFromResource(mark.Icon)
		image.SetMinSize(fyne.NewSquareSize(96))
		drawn, inked := software.Render(image, test.Theme()), 0
		for y := range drawn.Bounds().Dy() {
			for x := range drawn.Bounds().Dx() {
				if drawn.At(x, y) != drawn.At(0, 0) {
					inked++
				}
			}
		}
		if share := 100 * inked / (drawn.Bounds().Dx() * drawn.Bounds().Dy()); share < 10 {
			t.Errorf("the mark of %s covers %d %% of its place", id, share)
		}
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
