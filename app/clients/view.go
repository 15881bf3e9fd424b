// Package clients is the screen of the AI apps on this computer: which of them are connected, what is left to do, and the ways
// to connect one, to disconnect it, and to bring in the servers that it has.
//
// What the screen shows is a [View], made by [Look] of what is known; the widgets only draw it.
package clients

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/clients/imports"
)

// Facts are what is known of the apps.
type Facts struct {
	Known    bool // they were looked for; before that nothing is known
	Statuses []engine.Status
	Sources  []string       // ids of the apps that have a file to bring servers in from, see [imports.Present]
	Uses     map[string]Use // by what people call the app, see [live.ClientName]
	Home     string         // the user's home folder, which paths are shortened by
	Problem  string         // why nothing can be connected, a sentence; "" when it can
	Now      time.Time
}

// Use tells when an app used Workbench.
type Use struct {
	Here bool      // it does now
	Last time.Time // else when it did last
}

// View is what the screen shows. It is not changed once handed over, nor are its slices.
type View struct {
	Known   bool
	Cards   []Card
	Also    []string // names of apps that are not found here
	Problem string
}

// Way is what the main button of a card does.
type Way int

// The ways.
const (
	NoWay Way = iota
	WayConnect
	WayRepair // connects again
	WayPaste  // shows what to run by hand
)

// Card is what is shown of one app.
type Card struct {
	ID, Name   string
	State      theme.State
	Word       string
	Used       string   // when it used Workbench; may be ""
	Next       []string // what is left to do, in sentences
	Limits     string   // what is to be known of it
	Files      []string // where its entries are
	Way        Way
	WayWord    string // what the main button says
	Disconnect bool   // it can be disconnected
	Import     bool   // its servers can be brought in
}

// Look makes the view of what is known.
func Look(facts Facts) View {
	view := View{Known: facts.Known, Problem: facts.Problem}
	listed := map[string]bool{}
	for _, status := range facts.Statuses {
		listed[status.Client.ID] = true
		use, used := facts.Uses[live.ClientName(status.Client.ID, "")]
		if !status.Installed && status.State == engine.NotConnected && !used {
			view.Also = append(view.Also, status.Client.Name)
			continue
		}
		card := cardOf(status, use, used, facts)
		card.Import = slices.Contains(facts.Sources, status.Client.ID)
		view.Cards = append(view.Cards, card)
	}
	for _, id := range facts.Sources {
		if !listed[id] {
			view.Cards = append(view.Cards, Card{
				ID: id, Name: imports.Name(id), State: theme.StateIdle, Word: lang.L("Only its servers can be brought in"), Import: true,
			})
		}
	}
	return view
}

func cardOf(status engine.Status, use Use, used bool, facts Facts) Card {
	client := status.Client
	card := Card{ID: client.ID, Name: client.Name, Limits: strings.Join(client.Limits, " "), Disconnect: status.State != engine.NotConnected}
	for _, file := range status.Files {
		card.Files = append(card.Files, fileLine(file, facts.Home))
	}
	switch {
	case use.Here:
		card.Used = lang.L("Using Workbench now")
	case used:
		card.Used = lang.L("Last seen {{.Time}}", map[string]any{"Time": live.Clock(use.Last, facts.Now)})
	}
	switch status.State {
	case engine.Connected:
		card.State, card.Word = theme.StateConnected, lang.L("Connected")
		if since := newest(status.Records); !used || !use.Here && use.Last.Before(since) {
			// The entry is there; that it works, only the app itself can show.
			card.State, card.Word = theme.StateWorking, lang.L("Set up")
			if card.Used == "" {
				card.Used = lang.L("Not seen since Workbench was started")
			}
			card.Next = client.Next()
		}
	case engine.Outdated:
		card.State, card.Word = theme.StateNotice, lang.L("Starts another Workbench")
		card.Next = []string{lang.L("Its entry starts another program or uses another configuration than this window.")}
		card.Way, card.WayWord = WayRepair, lang.L("Correct it…")
	case engine.Lost:
		card.State, card.Word = theme.StateWrong, lang.L("The entry is gone")
		card.Next = []string{lang.L("Another program has taken Workbench out of its file.")}
		card.Way, card.WayWord = WayRepair, lang.L("Put it back…")
	case engine.Broken:
		card.State, card.Word = theme.StateWrong, lang.L("Its file cannot be read")
		card.Way, card.WayWord = WayRepair, lang.L("See why…")
	default:
		card.State, card.Word = theme.StateIdle, lang.L("Not connected")
		card.Way, card.WayWord = WayConnect, lang.L("Connect…")
		if client.ByHand != "" {
			card.Way, card.WayWord = WayPaste, lang.L("Show how…")
		}
		if use.Here {
			card.State, card.Word = theme.StateConnected, lang.L("Connected by hand")
		}
	}
	card.Next = append(card.Next, status.Policy...)
	if facts.Problem != "" {
		card.Way = NoWay
	}
	return card
}

// newest is when an entry was made last.
func newest(records []engine.Record) time.Time {
	var at time.Time
	for _, record := range records {
		if record.Time.After(at) {
			at = record.Time
		}
	}
	return at
}

// fileLine says where an app keeps its entries.
func fileLine(file engine.File, home string) string {
	line := short(file.Path, home)
	if !file.Exists {
		line = lang.L("{{.Path}} (not there yet)", map[string]any{"Path": line})
	}
	if file.Says != "" {
		line += " – " + file.Says
	}
	return line
}

// short writes a path in the home folder as people do.
func short(path, home string) string {
	if home == "" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return path
}
