package tray

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

func idle(names ...string) []Server {
	var servers []Server
	for _, name := range names {
		servers = append(servers, Server{Name: name, Text: "Not started", Idle: true})
	}
	return servers
}

// visible returns the visible items of a menu.
func visible(items []Item) []Item {
	var out []Item
	for _, item := range items {
		if !item.Hidden {
			item.Children = visible(item.Children)
			out = append(out, item)
		}
	}
	return out
}

func TestMenu(t *testing.T) {
	got := visible(Menu(State{
		Problem: "Something is wrong",
		Clients: []string{"Claude Desktop — connected since 10:42"},
		Login:   true,
		Toolboxes: []Toolbox{
			{Name: "dev", Servers: []Server{
				{Name: "files", State: theme.StateConnected, CanStop: true, Text: "14 tools", Start: "Restart"},
				{Name: "search", State: theme.StateWrong, Text: "Can't start: npx was not found", Help: "Change the command",
					Start: "Try again"},
				{Name: "web", State: theme.StateKey, Text: "Needs sign-in", Help: "Sign in…", Start: "Restart"},
				{Name: "memory", Text: "Not started", Start: "Start", Idle: true},
				{Name: "old", State: theme.StateDisabled, Text: "Switched off", Off: true},
			}},
			{Name: "empty"},
		},
	}))
	action := func(verb Verb, server string) Action { return Action{verb, "dev", server} }
	settings := func(server string) Item { return Item{Label: "Open settings", Action: action(VerbSettings, server)} }
	want := []Item{
		{Kind: KindHeading, Label: "Workbench — 1 of 4 servers connected"},
		{Label: "▲ Something is wrong"},
		{Kind: KindSeparator},
		{Label: "dev", Action: Action{Toolbox: "dev"}, Children: []Item{
			{Label: "● files   14 tools", Action: action(VerbSettings, "files"), Children: []Item{
				{Label: "Restart", Action: action(VerbRestart, "files")}, {Label: "Stop", Action: action(VerbStop, "files")},
				{Label: "Show log", Action: action(VerbLog, "files")}, settings("files"),
			}},
			{Label: "▲ search   Can't start: npx was not found", Action: action(VerbSettings, "search"), Children: []Item{
				{Label: "Change the command", Action: action(VerbFix, "search")},
				{Label: "Try again", Action: action(VerbRestart, "search")},
				{Label: "Show log", Action: action(VerbLog, "search")}, settings("search"),
			}},
			{Label: theme.StateKey.Glyph() + " web   Needs sign-in", Action: action(VerbSettings, "web"), Children: []Item{
				{Label: "Sign in…", Action: action(VerbFix, "web")},
				{Label: "Restart", Action: action(VerbRestart, "web")}, {Label: "Show log", Action: action(VerbLog, "web")},
				settings("web"),
			}},
			{Label: "○ memory   Not started", Action: action(VerbSettings, "memory"), Children: []Item{
				{Label: "Start", Action: action(VerbRestart, "memory")}, settings("memory"),
			}},
			{Label: "– old   Switched off", Action: action(VerbSettings, "old"), Children: []Item{settings("old")}},
		}},
		{Label: "empty", Action: Action{Toolbox: "empty"}, Children: []Item{{Kind: KindHeading, Label: "No servers yet"}}},
		{Kind: KindSeparator},
		{Kind: KindHeading, Label: "Claude Desktop — connected since 10:42"},
		{Kind: KindSeparator},
		{Label: "Open Workbench"},
		{Label: "Pause all", Action: Action{Verb: VerbPause}},
		{Kind: KindTick, Label: "Start at login", Checked: true, Action: Action{Verb: VerbLogin}},
		{Kind: KindQuit, Label: "Quit"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
}

func TestMenuWhilePaused(t *testing.T) {
	state := State{Paused: true, NoLogin: true,
		Toolboxes: []Toolbox{{Name: "a", Servers: []Server{{State: theme.StateWrong}}}}}
	menu := visible(Menu(state))
	if menu[0].Label != "Paused" || IconOf(state) != IconIdle {
		t.Errorf("paused, the heading is %q with icon %d", menu[0].Label, IconOf(state))
	}
	if n := len(menu); menu[n-2].Action.Verb != VerbResume || menu[n-1].Kind != KindQuit {
		t.Errorf("paused, the menu ends with %+v", menu[n-2:])
	}
}

func TestMenuNamesANewerVersion(t *testing.T) {
	newer := func(state State) (found []string) {
		for _, item := range visible(Menu(state)) {
			if item.Action.Verb == VerbUpdate {
				found = append(found, item.Label)
			}
		}
		return found
	}
	if got := newer(State{Newer: "1.1.0"}); !slices.Equal(got, []string{"Version 1.1.0 is there…"}) {
		t.Errorf("the menu says %q", got)
	}
	if got := newer(State{}); got != nil {
		t.Errorf("without a newer version, the menu says %q", got)
	}
}

func TestMenuHeading(t *testing.T) {
	for _, c := range []struct {
		state State
		want  string
	}{
		{State{}, "No toolboxes yet"},
		{State{Toolboxes: []Toolbox{{Name: "a", Servers: idle("x")}}}, "Workbench — 0 of 1 server connected"},
		{State{Toolboxes: []Toolbox{{Name: "a"}}}, "Workbench — 0 of 0 servers connected"},
	} {
		if got := Menu(c.state)[0].Label; got != c.want {
			t.Errorf("heading %q, want %q", got, c.want)
		}
	}
}

// TestMenuOfClients checks that apps that connect and disconnect only change lines that the menu has anyway.
func TestMenuOfClients(t *testing.T) {
	lines := func(clients ...string) []string {
		var out []string
		for _, item := range visible(Menu(State{Clients: clients}))[2:] {
			if item.Kind != KindHeading {
				break
			}
			out = append(out, item.Label)
		}
		return out
	}
	many := strings.Split("a b c d e f g h i j", " ")
	for _, c := range []struct{ clients, want []string }{
		{nil, []string{"No AI app is connected now."}},
		{[]string{"a"}, []string{"a"}},
		{many, many[:maxClients]},
	} {
		if diff := cmp.Diff(c.want, lines(c.clients...)); diff != "" {
			t.Errorf("the clients %q (-want +got):\n%s", c.clients, diff)
		}
	}
}

// TestMenuIsBounded checks that a large configuration gives a short menu that says what it leaves out.
func TestMenuIsBounded(t *testing.T) {
	var state State
	for i := range 50 {
		var servers []Server
		for j := range 40 {
			servers = append(servers, Server{Name: strings.Repeat("n", 500) + fmt.Sprint(j), Text: strings.Repeat("t", 500),
				Idle: true})
		}
		state.Toolboxes = append(state.Toolboxes, Toolbox{Name: fmt.Sprint("t", i), Servers: servers})
	}
	menu := visible(Menu(state))
	if len(menu) != 1+1+maxToolboxes+1+1+1+1+4 {
		t.Errorf("the menu has %d items", len(menu))
	}
	if got := menu[2+maxToolboxes].Label; got != "and 30 more" {
		t.Errorf("after the toolboxes, the label is %q", got)
	}
	children := menu[2].Children
	if got := children[len(children)-1].Label; len(children) != maxServers+1 || got != "and 15 more" {
		t.Errorf("a submenu has %d items and ends with %q", len(children), got)
	}
	if got := len([]rune(children[0].Label)); got > 2*maxLabel+5 {
		t.Errorf("an item is %d characters long", got)
	}
	shown := 0
	for _, item := range menu {
		for _, child := range item.Children {
			if child.Action.Server != "" {
				shown++
			}
		}
	}
	if last := menu[2+maxToolboxes-1].Children; shown != maxAll || len(last) != 1 || last[0].Label != "and 40 more" {
		t.Errorf("the menu has %d servers, and in the last toolbox %+v", shown, last)
	}
}

// TestMenuNamesAreHarmless checks that no name can add lines to the menu or change the direction of its text.
func TestMenuNamesAreHarmless(t *testing.T) {
	menu := visible(Menu(State{Toolboxes: []Toolbox{{Name: "a\nb\x00\u202ec", Servers: idle("x\ty")}}}))
	if got := menu[2].Label; got != "a bc" {
		t.Errorf("toolbox %q", got)
	}
	if got := menu[2].Action.Toolbox; got != "a\nb\x00\u202ec" {
		t.Errorf("the action names the toolbox %q", got)
	}
}

func TestIconIsTheMostUrgentState(t *testing.T) {
	with := func(states ...theme.State) State {
		var servers []Server
		for _, state := range states {
			servers = append(servers, Server{State: state})
		}
		return State{Toolboxes: []Toolbox{{Servers: servers}}}
	}
	for i, c := range []struct {
		state State
		want  Icon
	}{
		{State{}, IconIdle},
		{with(theme.StateIdle, theme.StateDisabled), IconIdle},
		{with(theme.StateIdle, theme.StateConnected), IconWell},
		{with(theme.StateConnected, theme.StateWorking, theme.StateConnected), IconWorking},
		{with(theme.StateWorking, theme.StateWrong), IconAttention},
		{with(theme.StateKey, theme.StateConnected), IconAttention},
		{State{Problem: "x"}, IconAttention},
	} {
		if got := IconOf(c.state); got != c.want {
			t.Errorf("case %d: icon %d, want %d", i, got, c.want)
		}
	}
}

// TestLabelsHaveNoShortcuts checks that every system shows a label unchanged.
func TestLabelsHaveNoShortcuts(t *testing.T) {
	for goos, want := range map[string]string{"linux": "a__b & c", "windows": "a_b && c", "darwin": "a_b & c"} {
		if got := plain("a_b & c", goos); got != want {
			t.Errorf("%s: %q, want %q", goos, got, want)
		}
	}
}

// TestChangedTools checks that a server whose tools wait for approval is shown as connected, and that the menu leads
// to the changes.
func TestChangedTools(t *testing.T) {
	state := State{Toolboxes: []Toolbox{
		{Name: "dev", Servers: []Server{
			{Name: "a", State: theme.StateNotice, Text: "2 tools to approve", CanStop: true, Changed: true,
				Help: "Review…"}}}}}
	menu := visible(Menu(state))
	if menu[0].Label != "Workbench — 1 of 1 server connected" || IconOf(state) != IconAttention {
		t.Errorf("heading %q, icon %v", menu[0].Label, IconOf(state))
	}
	first := menu[2].Children[0].Children[0]
	if first.Label != "Review…" || first.Action.Verb != VerbFix {
		t.Errorf("first: %+v", first)
	}
}
