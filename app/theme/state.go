package theme

import (
	"fmt"
	"sync"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// State is how something is doing, such as a server. The window always shows a state by a word, a shape and a colour
// together, so that any one of the three is enough to understand it.
type State int

// The states of a server and of problems in the configuration.
const (
	StateIdle      State = iota // a ring: not started
	StateConnected              // a filled circle with a tick
	StateWorking                // a half circle: starting
	StateWrong                  // a triangle with an exclamation mark: needs the user
	StateDisabled               // a bar: switched off by the user
	StateKey                    // a key: needs a sign-in
	StateNotice                 // a filled circle with an exclamation mark: works, but perhaps not as expected
)

// look returns how a state is shown: shape is the name of its icon file without the ending, and glyph is the same
// shape as a character.
func (s State) look() (shape string, color fyne.ThemeColorName, glyph string) {
	switch s {
	case StateConnected:
		return "connected", ColorGood, "●"
	case StateWorking:
		return "working", ColorWorking, "◐"
	case StateWrong:
		return "wrong", ColorWrong, "▲"
	case StateDisabled:
		return "disabled", ColorMuted, "–"
	case StateKey:
		return "key", ColorWorking, "◆"
	case StateNotice:
		return "notice", ColorWorking, "!"
	}
	return "idle", ColorMuted, "○"
}

func (s State) shape() string {
	shape, _, _ := s.look()
	return shape
}

// Color returns the name of the state's colour.
func (s State) Color() fyne.ThemeColorName {
	_, color, _ := s.look()
	return color
}

// Glyph returns the state's shape as a character, for places that can show only text, such as the menu of the tray.
func (s State) Glyph() string {
	_, _, glyph := s.look()
	return glyph
}

// Icon returns the state's shape in the state's colour.
func (s State) Icon() fyne.Resource { return icons()[s] }

// ToolboxIcon returns the logo of the program in one colour.
func ToolboxIcon(color fyne.ThemeColorName) fyne.Resource { return icon("toolbox", color) }

// ChartIcon returns an icon of a bar chart, in the colour of text.
func ChartIcon() fyne.Resource { return icon("chart", ColorText) }

// icons returns the icons of all states. They are made once, because Fyne draws an icon again if it gets a different
// resource.
var icons = sync.OnceValue(func() []fyne.Resource {
	var made []fyne.Resource
	for state := StateIdle; state <= StateNotice; state++ {
		made = append(made, icon(state.shape(), state.Color()))
	}
	return made
})

// icon returns one of our single-colour icons. color is the name of the colour, so the icon follows the theme.
func icon(name string, color fyne.ThemeColorName) fyne.Resource {
	data, err := assets.States.ReadFile("states/" + name + ".svg")
	if err != nil {
		// The icons are part of the binary and a test reads each of them, so a missing one is a bug.
		panic(fmt.Sprintf("icon %s: %v", name, err))
	}
	return base.NewColoredResource(fyne.NewStaticResource(name+".svg", data), color)
}
