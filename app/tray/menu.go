// Package tray is the program's icon in the system tray and its menu.
//
// [StateOf] makes a [State] from a snapshot, and [Menu] makes the content of the menu from the State. Neither needs a
// window. A [Renderer] passes the content to the system when it has changed, but not too often. A [Host] reports
// whether there is a tray.
package tray

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// State has everything that the menu is made from.
type State struct {
	Toolboxes []Toolbox
	Clients   []string // a line for each client that was seen

	// Problem says in a few words what needs the user, such as a broken configuration file. It is empty if nothing does.
	Problem string

	// Problems says how many problems the window lists. It is empty if there are none.
	Problems string

	Paused bool // the user has chosen "Pause all"

	Newer string // a newer version of the program; empty if none is known

	// Login is true if the program starts at login. NoLogin is true if the user cannot choose this here.
	Login, NoLogin bool
}

// needs returns a line that says what needs the user, how many problems there are, or both.
func (s State) needs() string {
	switch {
	case s.Problem == "":
		return theme.StateNotice.Glyph() + " " + s.Problems
	case s.Problems == "":
		return theme.StateWrong.Glyph() + " " + s.Problem
	}
	return theme.StateWrong.Glyph() + " " + s.Problem + ": " + s.Problems
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
	Text  string // how the server is doing, such as "14 tools"

	Help  string // the label of the entry that helps with the server; empty if nothing has to be done
	Start string // the label of the entry that starts the server, such as "Start", "Restart" or "Try again"

	// Changed is true if tools of the server have changed and wait for the user's approval. The server is connected in
	// this case.
	Changed bool

	CanStop bool // the server runs, or will be started again by itself

	// Idle is true if no engine has started the server. Off is true if the server is switched off.
	Idle, Off bool
}

// Kind is the kind of an Item.
type Kind int

// The kinds of items.
const (
	KindEntry     Kind = iota
	KindSeparator      // a line
	KindHeading        // text that cannot be clicked
	KindTick           // an entry that is on or off
	KindQuit           // the entry that ends the program
)

// Item is one line of the menu.
type Item struct {
	Kind     Kind
	Label    string
	Action   Action // what a click does; not used for a separator, a heading and KindQuit
	Checked  bool   // whether a KindTick is on
	Hidden   bool   // the item is not shown, but keeps its place for a later state
	Children []Item // the items of a submenu
}

// Verb is what an entry does.
type Verb int

// The verbs. Those about a server name it in their Action.
const (
	VerbOpen     Verb = iota // show the window, with the toolbox or server of the Action if there is one
	VerbRestart              // start the server, or restart it if it runs
	VerbStop                 // end the server until it is started again
	VerbLog                  // show the log of the server
	VerbSettings             // show the settings of the server
	VerbFix                  // do what helps with the server
	VerbPause                // end all servers until VerbResume
	VerbResume               // end the pause
	VerbLogin                // turn starting at login on or off
	VerbUpdate               // show how to get the newer version
)

// Action is what a click on an entry does.
type Action struct {
	Verb            Verb
	Toolbox, Server string
}

// The limits of the menu. It must be short, because people read it quickly and most trays draw all of it. The window
// shows the rest.
const (
	maxToolboxes = 20
	maxServers   = 25 // of one toolbox
	maxAll       = 80 // servers of all toolboxes; each server takes six entries
	maxClients   = 8
	maxLabel     = 60 // characters of a name
)

// Menu returns the items of the menu for a state.
func Menu(state State) []Item {
	items := []Item{
		{Kind: KindHeading, Label: heading(state)},
		{Label: state.needs(), Hidden: state.Problem == "" && state.Problems == ""},
		{Kind: KindSeparator},
	}
	room := maxAll
	for i, toolbox := range state.Toolboxes {
		if i == maxToolboxes {
			items = append(items, Item{Label: more(len(state.Toolboxes) - maxToolboxes)})
			break
		}
		item := toolboxItem(toolbox, min(room, maxServers))
		room -= min(len(toolbox.Servers), room, maxServers)
		items = append(items, item)
	}
	if len(state.Toolboxes) > 0 {
		items = append(items, Item{Kind: KindSeparator})
	}
	items = append(items, clientItems(state.Clients)...)
	items = append(items, Item{Kind: KindSeparator})
	return append(items, lastItems(state)...)
}

// clientItems returns the lines of clients. It always returns the same number of lines, some of them hidden, because
// hiding an entry is cheaper than adding one.
func clientItems(clients []string) []Item {
	items := make([]Item, maxClients)
	for i := range items {
		items[i] = Item{Kind: KindHeading, Hidden: i >= len(clients)}
		if i < len(clients) {
			items[i].Label = name(clients[i])
		}
	}
	if len(clients) == 0 {
		items[0] = Item{Kind: KindHeading, Label: lang.L("No AI app is connected now.")}
	}
	return items
}

// lastItems returns the items about the program as a whole.
func lastItems(state State) []Item {
	items := []Item{{Label: lang.L("Open Workbench")}}
	if state.Newer != "" {
		items = append(items, Item{Label: lang.L("Version {{.Version}} is there…", map[string]any{"Version": state.Newer}),
			Action: Action{Verb: VerbUpdate}})
	}
	if state.Paused {
		items = append(items, Item{Label: lang.L("Resume"), Action: Action{Verb: VerbResume}})
	} else {
		items = append(items, Item{Label: lang.L("Pause all"), Action: Action{Verb: VerbPause}})
	}
	if !state.NoLogin {
		items = append(items, Item{Kind: KindTick, Label: lang.L("Start at login"), Checked: state.Login,
			Action: Action{Verb: VerbLogin}})
	}
	return append(items, Item{Kind: KindQuit, Label: lang.L("Quit")})
}

// heading returns the first line: the name of the program, and how its servers are doing.
func heading(state State) string {
	if len(state.Toolboxes) == 0 {
		return lang.L("No toolboxes yet")
	}
	if state.Paused {
		return lang.L("Paused")
	}
	all, connected := 0, 0
	for _, toolbox := range state.Toolboxes {
		for _, server := range toolbox.Servers {
			if server.Off {
				continue
			}
			all++
			if server.State == theme.StateConnected || server.Changed {
				connected++
			}
		}
	}
	return lang.N("Workbench — {{.Connected}} of {{.Count}} servers connected", all,
		map[string]any{"Connected": connected, "Count": all})
}

// toolboxItem returns the entry of a toolbox with as many of its servers as there is room for.
func toolboxItem(toolbox Toolbox, room int) Item {
	item := Item{Label: name(toolbox.Name), Action: Action{Toolbox: toolbox.Name}}
	for i, server := range toolbox.Servers {
		if i == room {
			item.Children = append(item.Children,
				Item{Label: more(len(toolbox.Servers) - room), Action: Action{Toolbox: toolbox.Name}})
			break
		}
		item.Children = append(item.Children, serverItem(toolbox.Name, server))
	}
	if len(toolbox.Servers) == 0 {
		item.Children = []Item{{Kind: KindHeading, Label: lang.L("No servers yet")}}
	}
	return item
}

// serverItem returns the entry of a server with its commands. It always has the same number of commands, some of them
// hidden, because the state of a server changes often and hiding an entry is cheaper than adding one.
func serverItem(toolbox string, server Server) Item {
	action := func(verb Verb) Action { return Action{verb, toolbox, server.Name} }
	return Item{
		Label:  server.State.Glyph() + " " + name(server.Name) + "   " + name(server.Text),
		Action: action(VerbSettings),
		Children: []Item{
			{Label: server.Help, Action: action(VerbFix), Hidden: server.Help == ""},
			{Label: server.Start, Action: action(VerbRestart), Hidden: server.Off || server.Start == server.Help},
			{Label: lang.L("Stop"), Action: action(VerbStop), Hidden: !server.CanStop},
			{Label: lang.L("Show log"), Action: action(VerbLog), Hidden: server.Off || server.Idle},
			{Label: lang.L("Open settings"), Action: action(VerbSettings)},
		},
	}
}

func more(count int) string { return lang.L("and {{.Count}} more", map[string]any{"Count": count}) }

// name makes a name, or another text from outside, safe and short enough for a menu.
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
	IconIdle      Icon = iota // no server is connected or starting, or all are paused
	IconWell                  // a server is connected, and no server is starting
	IconWorking               // a server is starting
	IconAttention             // something needs the user
)

// IconOf returns the icon for the most urgent fact of a state.
func IconOf(state State) Icon {
	icon := IconIdle
	if state.Problem != "" {
		return IconAttention
	}
	if state.Paused {
		return IconIdle
	}
	for _, toolbox := range state.Toolboxes {
		for _, server := range toolbox.Servers {
			switch {
			case server.State == theme.StateWrong, server.State == theme.StateKey, server.Changed:
				return IconAttention
			case server.State == theme.StateWorking:
				icon = IconWorking
			case server.State == theme.StateConnected:
				if icon == IconIdle {
					icon = IconWell
				}
			}
		}
	}
	return icon
}
