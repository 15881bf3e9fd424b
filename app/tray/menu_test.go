package tray

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/lang"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/assets"
)

func TestMain(m *testing.M) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func idle(names ...string) []Server {
	var servers []Server
	for _, name := range names {
		servers = append(servers, Server{Name: name, Word: "Not started yet"})
	}
	return servers
}

func TestMenu(t *testing.T) {
	got := Menu(State{
		Problem: "Something is wrong",
		Toolboxes: []Toolbox{
			{Name: "dev", Servers: append(idle("files"), Server{Name: "old", State: theme.StateDisabled, Word: "Switched off"})},
			{Name: "empty"},
		},
	})
	want := []Item{
		{Kind: KindHeading, Label: "Workbench — 2 servers in 2 toolboxes"},
		{Label: "▲ Something is wrong"},
		{Kind: KindSeparator},
		{Label: "dev", Open: Target{Toolbox: "dev"}, Children: []Item{
			{Label: "○ files — Not started yet", Open: Target{Toolbox: "dev", Server: "files"}},
			{Label: "– old — Switched off", Open: Target{Toolbox: "dev", Server: "old"}},
		}},
		{Label: "empty", Open: Target{Toolbox: "empty"}, Children: []Item{{Kind: KindHeading, Label: "No servers yet"}}},
		{Kind: KindSeparator},
		{Label: "Open Workbench"},
		{Kind: KindQuit, Label: "Quit"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
}

func TestMenuHeading(t *testing.T) {
	for _, c := range []struct {
		state State
		want  string
	}{
		{State{}, "Workbench — no toolboxes yet"},
		{State{Toolboxes: []Toolbox{{Name: "a", Servers: idle("x")}}}, "Workbench — 1 server in 1 toolbox"},
		{State{Toolboxes: []Toolbox{{Name: "a"}}}, "Workbench — 0 servers in 1 toolbox"},
	} {
		if got := Menu(c.state)[0].Label; got != c.want {
			t.Errorf("heading %q, want %q", got, c.want)
		}
	}
}

// However much is configured, the menu stays one that can be read, and says what it leaves out.
func TestMenuIsBounded(t *testing.T) {
	var state State
	for i := range 50 {
		var servers []Server
		for j := range 40 {
			servers = append(servers, Server{Name: strings.Repeat("n", 500) + fmt.Sprint(j), Word: "Not started yet"})
		}
		state.Toolboxes = append(state.Toolboxes, Toolbox{Name: fmt.Sprint("t", i), Servers: servers})
	}
	menu := Menu(state)
	if len(menu) != 1+1+maxToolboxes+1+1+2 {
		t.Errorf("the menu has %d items", len(menu))
	}
	if got := menu[2+maxToolboxes].Label; got != "and 30 more" {
		t.Errorf("after the toolboxes it says %q", got)
	}
	children := menu[2].Children
	if got := children[len(children)-1].Label; len(children) != maxServers+1 || got != "and 15 more" {
		t.Errorf("a submenu has %d items and ends with %q", len(children), got)
	}
	if got := len([]rune(children[0].Label)); got > maxLabel+40 {
		t.Errorf("an item is %d characters long", got)
	}
}

// Names are anybody's: they must not add lines to the menu or turn the direction of its text.
func TestMenuNamesAreHarmless(t *testing.T) {
	menu := Menu(State{Toolboxes: []Toolbox{{Name: "a\nb\x00\u202ec", Servers: idle("x\ty")}}})
	if got := menu[2].Label; got != "a b c" {
		t.Errorf("toolbox %q", got)
	}
	if got := menu[2].Open.Toolbox; got != "a\nb\x00\u202ec" {
		t.Errorf("a click means the toolbox %q", got)
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

// What stands in a label is what the menu shows, on every system.
func TestLabelsHaveNoShortcuts(t *testing.T) {
	for goos, want := range map[string]string{"linux": "a__b & c", "windows": "a_b && c", "darwin": "a_b & c"} {
		if got := plain("a_b & c", goos); got != want {
			t.Errorf("%s: %q, want %q", goos, got, want)
		}
	}
}

func TestFyneMenu(t *testing.T) {
	var opened []Target
	quits := 0
	items := fyneItems(Menu(State{Toolboxes: []Toolbox{{Name: "dev", Servers: idle("files")}}}),
		Actions{Open: func(target Target) { opened = append(opened, target) }, Quit: func() { quits++ }}, "linux")
	if !items[0].Disabled || !items[1].IsSeparator {
		t.Error("the menu does not begin with a heading and a line")
	}
	items[2].ChildMenu.Items[0].Action()
	items[4].Action()
	last := items[len(items)-1]
	last.Action()
	if !last.IsQuit || quits != 1 {
		t.Error("the last entry is not the one that quits; Fyne would add its own")
	}
	if diff := cmp.Diff([]Target{{"dev", "files"}, {}}, opened); diff != "" {
		t.Errorf("opened (-want +got):\n%s", diff)
	}
}

func TestRendererDrawsOnlyChangesAndNotTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drawn []string
		r := NewRenderer(func(items []Item, _ Icon) { drawn = append(drawn, items[2].Label) }, func(f func()) { f() })
		named := func(name string) State { return State{Toolboxes: []Toolbox{{Name: name}}} }
		expect := func(names ...string) {
			t.Helper()
			synctest.Wait()
			if diff := cmp.Diff(names, drawn); diff != "" {
				t.Fatalf("drawn (-want +got):\n%s", diff)
			}
		}
		r.Update(named("first"))
		expect("first") // at once
		r.Update(named("second"))
		r.Update(named("third"))
		expect("first") // too soon
		time.Sleep(interval)
		expect("first", "third") // the newest alone
		time.Sleep(interval)
		r.Update(named("third"))
		time.Sleep(2 * interval)
		expect("first", "third") // nothing has changed
		r.Update(named("fourth"))
		expect("first", "third", "fourth")
		r.Update(named("fifth"))
		r.Close()
		time.Sleep(2 * interval)
		expect("first", "third", "fourth") // closed
	})
}
