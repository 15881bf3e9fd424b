// Package tray is the program's icon in the system tray and its menu.
//
// What the menu says is computed from a [State] by [Menu], without a window. A [Renderer] brings it to the system, only
// when it has changed and not too often, and a [Host] tells whether there is a tray at all.
package tray

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// State is what the menu is made from.
type State struct {
	Toolboxes []Toolbox
	// Problem says in a few words what needs the user, such as a broken configuration file. Empty when nothing does.
	Problem string
}

// Toolbox is one toolbox in the menu.
type Toolbox struct {
	Name    string
	Servers []Server
}

// Server is one server in the menu.
type Server struct {
	Name  string
	State theme.State
	Word  string // the state in words
}

// Kind is what an Item is.
type Kind int

// The kinds of items.
const (
	KindEntry     Kind = iota
	KindSeparator      // a line
	KindHeading        // text that cannot be clicked
	KindQuit           // the entry that ends the program
)

// Item is one line of the menu.
type Item struct {
	Kind     Kind
	Label    string
	Open     Target // of an entry: what to show in the window
	Children []Item // the items of a submenu
}

// Target is what the window is to show. The zero value is the window as it is.
type Target struct {
	Toolbox, Server string
}

// A menu is read in a moment and drawn whole by most trays, so it names only so many things; the window has the rest.
const (
	maxToolboxes = 20
	maxServers   = 25
	maxLabel     = 60 // characters of a name
)

// Menu gives the items of the menu for a state.
func Menu(state State) []Item {
	items := []Item{{Kind: KindHeading, Label: heading(state)}}
	if state.Problem != "" {
		items = append(items, Item{Label: theme.StateWrong.Glyph() + " " + state.Problem})
	}
	items = append(items, Item{Kind: KindSeparator})
	for i, toolbox := range state.Toolboxes {
		if i == maxToolboxes {
			items = append(items, Item{Label: more(len(state.Toolboxes) - maxToolboxes)})
			break
		}
		items = append(items, toolboxItem(toolbox))
	}
	if len(state.Toolboxes) > 0 {
		items = append(items, Item{Kind: KindSeparator})
	}
	return append(items, Item{Label: lang.L("Open Workbench")}, Item{Kind: KindQuit, Label: lang.L("Quit")})
}

// heading is the first line: the name of the program, and how much it has.
func heading(state State) string {
	if len(state.Toolboxes) == 0 {
		return lang.L("Workbench — no toolboxes yet")
	}
	servers := 0
	for _, toolbox := range state.Toolboxes {
		servers += len(toolbox.Servers)
	}
	return lang.L("Workbench — {{.Servers}} in {{.Toolboxes}}", map[string]any{
		"Servers":   lang.N("{{.Count}} servers", servers, map[string]any{"Count": servers}),
		"Toolboxes": lang.N("{{.Count}} toolboxes", len(state.Toolboxes), map[string]any{"Count": len(state.Toolboxes)}),
	})
}

func toolboxItem(toolbox Toolbox) Item {
	item := Item{Label: name(toolbox.Name), Open: Target{Toolbox: toolbox.Name}}
	for i, server := range toolbox.Servers {
		if i == maxServers {
			item.Children = append(item.Children, Item{Label: more(len(toolbox.Servers) - maxServers), Open: Target{Toolbox: toolbox.Name}})
			break
		}
		item.Children = append(item.Children, Item{
			Label: server.State.Glyph() + " " + name(server.Name) + " — " + server.Word,
			Open:  Target{Toolbox: toolbox.Name, Server: server.Name},
		})
	}
	if len(toolbox.Servers) == 0 {
		item.Children = []Item{{Kind: KindHeading, Label: lang.L("No servers yet")}}
	}
	return item
}

func more(count int) string { return lang.L("and {{.Count}} more", map[string]any{"Count": count}) }

// name makes a name fit for a menu.
func name(text string) string {
	runes := []rune(kit.Line(text))
	if len(runes) > maxLabel {
		return string(runes[:maxLabel-1]) + "…"
	}
	return string(runes)
}

// Icon is one of the pictures of the tray.
type Icon int

// The icons, each with a shape of its own.
const (
	IconIdle      Icon = iota // nothing runs
	IconWell                  // every server in use is connected
	IconWorking               // a server is starting
	IconAttention             // something needs the user
)

// IconOf gives the icon for a state: the most urgent thing that is true of it.
func IconOf(state State) Icon {
	icon := IconIdle
	if state.Problem != "" {
		return IconAttention
	}
	for _, toolbox := range state.Toolboxes {
		for _, server := range toolbox.Servers {
			switch server.State {
			case theme.StateWrong, theme.StateKey:
				return IconAttention
			case theme.StateWorking:
				icon = IconWorking
			case theme.StateConnected:
				if icon == IconIdle {
					icon = IconWell
				}
			}
		}
	}
	return icon
}
