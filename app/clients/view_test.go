package clients

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)

// client returns an app of the table, found on this computer.
func client(id string, state engine.State, since time.Time) engine.Status {
	c, ok := engine.ByID(id)
	if !ok {
		panic("there is no " + id)
	}
	status := engine.Status{Found: engine.Found{Client: c, Installed: true,
		Files: []engine.File{{Path: "/home/ada/." + id + "/mcp.json", Exists: true}}}, State: state}
	if state != engine.NotConnected {
		status.Records = []engine.Record{{Client: id, Time: since}}
	}
	return status
}

// proven returns an app whose entry has started Workbench.
func proven(id string, since, at time.Time) engine.Status {
	status := client(id, engine.Connected, since)
	status.Proof = &engine.Proof{Client: id, Time: at, Name: "its-words", Version: "1.2"}
	return status
}

// asking returns an app whose entry was removed, so that the user is asked.
func asking(id, why string) engine.Status {
	status := client(id, engine.Lost, noon)
	status.Loss = &engine.Loss{Client: id, Asks: true, Again: id == "claude-desktop", Why: why}
	return status
}

func facts() Facts {
	gone := client("warp", engine.NotConnected, noon)
	gone.Installed = false
	lmstudio := client("lmstudio", engine.NotConnected, noon)
	lmstudio.Installed = false
	return Facts{
		Apps: model.Apps{Known: true, Sources: []string{"claude-desktop", "cursor"}, Statuses: []engine.Status{
			proven("claude-desktop", noon.Add(-time.Hour), noon.Add(-time.Minute)),
			client("claude-code", engine.NotConnected, noon),
			client("cursor", engine.NotConnected, noon), proven("zed", noon.Add(-time.Minute), noon.Add(-time.Hour)),
			client("codex", engine.Lost, noon),
			gone, lmstudio,
		}, HTTP: model.HTTP{Known: true}},
		Home: "/home/ada", Now: noon,
		Uses: map[string]Use{"Claude Desktop": {Here: true}, "Zed": {Last: noon.Add(-time.Hour)}},
	}
}

func TestLook(t *testing.T) {
	known := facts()
	known.ByHand = map[string]bool{"claude-code": true}
	view := NewView(known)
	if !slices.Equal(view.Also, []string{"Warp", "LM Studio"}) {
		t.Errorf("the apps that were not found are %q", view.Also)
	}
	for i, want := range []struct {
		word, used, file string
		next             bool
		way              string
	}{
		{"Connected", "Using Workbench now", "~/.claude-desktop/mcp.json", false, ""},
		{"Not connected", "", "~/.claude-code/mcp.json", false, "Show how…"},
		{"Not connected", "", "~/.cursor/mcp.json", false, "Connect…"},
		// Zed started Workbench before it was connected, which does not prove that the entry works.
		{"Set up", "Last seen 11:00", "~/.zed/mcp.json", true, ""},
		{"No longer connected", "", "~/.codex/mcp.json", true, "Reconnect…"},
	} {
		card := view.Cards[i]
		if card.Word != want.word || card.Used != want.used || !slices.Equal(card.Files, []string{want.file}) ||
			(len(card.Next) > 0) != want.next || card.Way != want.way {
			t.Errorf("%s is shown as %+v", card.Name, card)
		}
	}
	if !view.Cards[0].Import || view.Cards[1].Import || !view.Cards[0].Disconnect || view.Cards[2].Disconnect {
		t.Errorf("the cards offer %+v", view.Cards)
	}
	broken := facts()
	broken.Problem = "It runs from a folder that goes away."
	broken.Sources = append(broken.Sources, "roo")
	view = NewView(broken)
	for _, card := range view.Cards {
		if card.Way != "" {
			t.Errorf("%s can be connected although no app can", card.Name)
		}
	}
	if last := view.Cards[len(view.Cards)-1]; last.ID != "roo" || !last.Import {
		t.Errorf("an app that Workbench only reads from is shown as %+v", last)
	}
}

// TestCards checks what a card says in each state of its app.
func TestCards(t *testing.T) {
	since, yesterday := noon.Add(-48*time.Hour), noon.Add(-24*time.Hour)
	other := proven("cursor", since, yesterday)
	other.Proof.Config = "/another.json"
	earlier := proven("cursor", since, yesterday)
	earlier.StartsWindow = true
	byHand := client("claude-code", engine.NotConnected, since)
	byHand.Proof = &engine.Proof{Client: "claude-code", Time: yesterday}
	for _, test := range []struct {
		name       string
		status     engine.Status
		use        *Use
		word, used string
		says       string
		way        string
		leave      bool
	}{
		{"proven, before this start", proven("cursor", since, yesterday), nil, "Connected", "Last seen 20 Nov 12:00", "", "",
			false},
		{"proven, and here", proven("cursor", since, yesterday), &Use{Here: true}, "Connected", "Using Workbench now", "",
			"", false},
		{"here, but not by this entry", proven("cursor", noon, yesterday), &Use{Here: true}, "Set up", "Using Workbench now",
			"press Refresh", "", false},
		{"here, with another configuration", other, &Use{Here: true}, "Set up", "Using Workbench now", "press Refresh", "",
			false},
		{"by an entry of an earlier version", earlier, nil, "Connected", "Last seen 20 Nov 12:00",
			"Reconnect it to change that", "Reconnect…", false},
		{"never seen", client("vscode", engine.Connected, since), nil, "Set up", "", "asks whether you trust",
			"", false},
		{"in a folder that is not trusted", client("gemini", engine.Connected, since), nil, "Set up", "",
			"type /permissions trust there", "", false},
		{"disconnected", client("cursor", engine.NotConnected, since), &Use{Last: yesterday}, "Not connected",
			"Last seen 20 Nov 12:00", "", "Connect…", false},
		{"by hand", client("cursor", engine.NotConnected, since), &Use{Here: true}, "Connected by hand",
			"Using Workbench now", "", "Connect…", false},
		{"by its own command", byHand, nil, "Connected by hand", "Last seen 20 Nov 12:00", "", "Show how…", false},
		{"dropped", client("claude-desktop", engine.Lost, since), nil, "No longer connected", "", "restore the entry",
			"Reconnect…", false},
		{"dropped again", asking("claude-desktop", ""), nil, "No longer connected", "",
			"no longer in the file of", "Reconnect…", true},
		{"cannot be put back", asking("claude-desktop", "The disk is full."), nil, "No longer connected", "",
			"The disk is full.", "Reconnect…", true},
		{"taken out", asking("cursor", ""), nil, "No longer connected", "", "no longer in the file of Cursor", "Reconnect…", true},
	} {
		facts := Facts{Apps: model.Apps{Known: true, Statuses: []engine.Status{test.status},
			ByHand: map[string]bool{"claude-code": true}}, Now: noon, Uses: map[string]Use{}}
		if test.use != nil {
			facts.Uses[test.status.Client.Name] = *test.use
		}
		card := NewView(facts).Cards[0]
		if card.Word != test.word || card.Used != test.used || card.Way != test.way || card.LeaveOut != test.leave ||
			!strings.Contains(strings.Join(card.Next, " "), test.says) || (test.says == "") != (len(card.Next) == 0) ||
			card.LeaveOut && card.Disconnect {
			t.Errorf("%s: %+v", test.name, card)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	lost := facts()
	lost.Statuses[2] = asking("cursor", "")
	lost.Note = "It is from another version of Workbench."
	o := open(t, NewView(lost), normal)
	o.reads(t, "Workbench is no longer in the file of Cursor.", "It is from another version of Workbench.", "Reconnect…")
	test.Tap(o.buttons["cursor leave"])
	if o.last() != "leave cursor" {
		t.Errorf("the actions are %q", o.did)
	}
}

// A card is one line and one button. What the app cannot do is folded away. The files of the app and rare actions are
// in the menu. Servers that the app has twice are named beside a button that removes them.
func TestCardIsShort(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	view := View{Known: true, Cards: []Card{{
		ID: "claude-desktop", Name: "Claude Desktop", State: theme.StateConnected, Word: "Connected",
		Used:   "Using Workbench now",
		Limits: "It allows 64 characters.", Files: []string{"~/.config/Claude/claude_desktop_config.json"}, Disconnect: true,
		Import: true, Twice: []string{"memory", "fetch"},
	}}}
	o := open(t, view, small)
	bare := o.texts()
	o.reads(t, "Connected", "Using Workbench now", "Claude Desktop has memory, fetch twice", "Remove them…",
		"Good to know")
	for _, folded := range []string{"64 characters", "claude_desktop_config.json", "Make a bundle", "Disconnect…"} {
		if strings.Contains(bare, folded) {
			t.Errorf("the card says %q", folded)
		}
	}
	o.links["claude-desktop"].Tapped(nil)
	o.reads(t, "64 characters")
	changed := view
	changed.Cards = slices.Clone(view.Cards)
	changed.Cards[0].Used = "Last seen 11:59"
	o.Apply(changed)
	o.reads(t, "64 characters") // the list stays unfolded
	var items []string
	for _, item := range o.menus["claude-desktop"] {
		items = append(items, item.Label)
	}
	if got := strings.Join(items, ", "); got != "Bring in its servers…, Disconnect…, Copy the path: "+
		"~/.config/Claude/claude_desktop_config.json" && !strings.Contains(got, "Make a bundle…") {
		t.Errorf("the menu has %s", got)
	}
	test.Tap(o.buttons["claude-desktop twice"])
	o.looked(Offer{Plan: imports.Plan{
		Servers: []imports.Found{{As: "other"}},
		Skipped: []imports.Skipped{{Origin: imports.Origin{Client: "claude-desktop", Name: "memory"}, Here: true},
			{Origin: imports.Origin{Client: "claude-desktop", Name: "fetch"}, Here: true}},
	}, Movable: true}, nil)
	o.reads(t, "Remove 2 servers from Claude Desktop")
	if strings.Contains(o.texts(), "other") {
		t.Error("another server is named, too")
	}
}

// TestServerLines checks that a list of servers says what is wrong with one, but not how to write its entry.
func TestServerLines(t *testing.T) {
	server := imports.Found{Notes: imports.Texts{
		words.New("foreign.diagnosed", "Message", words.Foreign("It is wrong."), "Hint", words.Foreign(`Write {"env": {}}.`)),
		words.Foreign("It was translated."),
	}}
	if got := ServerLines(&server, false); !slices.Equal(got, []Sign{{Text: "It is wrong."}, {Text: "It was translated."}}) {
		t.Errorf("the lines are %+v", got)
	}
}
