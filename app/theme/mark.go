package theme

import (
	"bytes"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// Mark is the mark of an app or of a service, for a tile.
type Mark struct {
	Icon fyne.Resource
	Fill color.Color // of the tile
}

// NewMark returns the mark for the ID of an app or of a server of the catalogue, and whether there is one.
func NewMark(id string) (Mark, bool) {
	name := markOf(id)
	if name == "" {
		return Mark{}, false
	}
	data, err := assets.Marks.ReadFile("marks/" + name + ".svg")
	if err != nil {
		return Mark{}, false
	}
	before, rest, _ := bytes.Cut(data, []byte(`fill="#`))
	if len(rest) < len("RRGGBB") {
		return Mark{}, false
	}
	rgb, err := strconv.ParseUint(string(rest[:6]), 16, 24)
	if err != nil {
		return Mark{}, false
	}
	fill := color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xFF}
	shape := "FFFFFF"
	// Weighed as the eye does: white is hard to see on a light colour.
	if 2*int(fill.R)+7*int(fill.G)+int(fill.B) > 1450 {
		shape = "14171C"
	}
	drawn := string(before) + `fill="#` + shape + string(rest[6:])
	// Fyne keeps pictures by name.
	return Mark{fyne.NewStaticResource("mark-"+name+".svg", []byte(drawn)), fill}, true
}

// markOf returns the name of the mark for an ID. Some have the mark of who makes them.
func markOf(id string) string {
	switch id {
	case "copilot", "copilot-jetbrains", "github-docker":
		return "github"
	case "junie":
		return "jetbrains"
	case "filesystem", "memory", "fetch", "everything", "sequential-thinking":
		return "modelcontextprotocol"
	}
	return id
}
