package theme

import (
	"fmt"
	"sync"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// State is how something is doing. A state is always shown as a word, a shape and a colour together, so that no one of
// them has to be seen for it to be understood.
type State int

// The states of a server, and of what is wrong with the configuration.
const (
	StateIdle      State = iota // a ring: not started, nothing expected
	StateConnected              // a filled circle with a tick
	StateWorking                // a half circle: starting
	StateWrong                  // a triangle with a mark: needs the user
	StateDisabled               // a bar: switched off by the user
	StateKey                    // a key: needs a sign-in
	StateNotice                 // a filled circle with a mark: works, but may not do what it seems to
)

// look is how a state is shown: the file of its icon, without its ending, the role of its colour, and its shape as a character.
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

// Color is the role of the state's colour.
func (s State) Color() fyne.ThemeColorName {
	_, color, _ := s.look()
	return color
}

// Glyph is the state's shape as a character, for places that show text alone, such as the menu of the tray.
func (s State) Glyph() string {
	_, _, glyph := s.look()
	return glyph
}

// Icon returns the state's shape in the state's colour.
func (s State) Icon() fyne.Resource { return icon(s.shape(), s.Color()) }

// ToolboxIcon is the program's mark in one colour.
func ToolboxIcon(color fyne.ThemeColorName) fyne.Resource { return icon("toolbox", color) }

// ChartIcon shows bars of a chart. It takes the colour of the text around it.
func ChartIcon() fyne.Resource { return icon("chart", ColorText) }

// icon returns one of our single-colour icons in the colour of a role; it follows the theme.
func icon(name string, color fyne.ThemeColorName) fyne.Resource {
	if made, ok := icons()[iconKey{name, color}]; ok {
		return made
	}
	return newIcon(name, color)
}

// iconKey tells our icons apart.
type iconKey struct {
	name  string
	color fyne.ThemeColorName
}

// icons are those of the states, made once: Fyne draws an icon anew only when it is another one. Nothing writes to them.
var icons = sync.OnceValue(func() map[iconKey]fyne.Resource {
	made := map[iconKey]fyne.Resource{}
	for state := StateIdle; state <= StateNotice; state++ {
		key := iconKey{state.shape(), state.Color()}
		made[key] = newIcon(key.name, key.color)
	}
	return made
})

func newIcon(name string, color fyne.ThemeColorName) fyne.Resource {
	data, err := assets.States.ReadFile("states/" + name + ".svg")
	if err != nil {
		// The icons are compiled in, and a test reads every one; a missing one is a mistake of ours.
		panic(fmt.Sprintf("icon %s: %v", name, err))
	}
	return base.NewColoredResource(fyne.NewStaticResource(name+".svg", data), color)
}
