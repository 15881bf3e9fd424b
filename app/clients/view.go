// Package clients is the screen of the AI apps on this computer. It shows which of them are connected and what is left
// to do. From here the user connects and disconnects them and brings in their servers.
//
// The screen shows a [View], which [NewView] makes from [Facts]. The widgets only draw it.
package clients

import (
	"slices"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Facts are what is known of the apps.
type Facts struct {
	model.Apps
	Uses      map[string]Use // by the name of the app, see [live.ClientName]
	Home      string         // the user's home folder, used to shorten paths
	Now       time.Time
	Toolboxes []*config.Toolbox // of the configuration
}

// Use says when an app used Workbench.
type Use struct {
	Here bool      // it uses Workbench now
	Last time.Time // otherwise, when it last did
}

// View is what the screen shows. Nothing changes a View or its slices after it was passed to the screen.
type View struct {
	Known   bool
	Cards   []Card
	Also    []string // names of the apps that are not on this computer
	Problem string
	Note    string
	Served  ServedCard
}

// Card shows an app.
type Card struct {
	ID, Name   string
	State      theme.State
	Word       string
	Used       string   // when the app used Workbench; may be empty
	Next       []string // what the user still has to do, in sentences
	Limits     string   // what the app cannot do
	Files      []string // the files with its entries, as they are shown
	Paths      []string // the paths of these files, in the same order
	Way        string   // the label of the main button, which connects the app; empty if there is no such button
	Disconnect bool     // it can be disconnected
	LeaveOut   bool     // its entry was removed, and the user may accept that
	Import     bool     // its servers can be brought in
	Moved      bool     // servers were moved out of it
	Twice      []string // names of the servers that it has in its own file although they are in a toolbox too
	Toolboxes  []Tick   // which toolboxes it sees; empty if it is not connected
}

// Tick says whether an app sees a toolbox.
type Tick struct {
	Toolbox string
	On      bool
}

// toolboxesWords says how many toolboxes an app sees.
func (c Card) toolboxesWords() string {
	count := 0
	for _, tick := range c.Toolboxes {
		if tick.On {
			count++
		}
	}
	return lang.L("Sees {{.Count}} of {{.All}} toolboxes", map[string]any{"Count": count, "All": len(c.Toolboxes)})
}

// NewView returns the View for the facts.
func NewView(facts Facts) View {
	view := View{Known: facts.Known, Problem: facts.Problem, Note: facts.Note, Served: servedCard(facts)}
	listed := map[string]bool{}
	for _, status := range facts.Statuses {
		listed[status.Client.ID] = true
		use, used := facts.Uses[live.ClientName(status.Client.ID, "")]
		if !status.Installed && status.State == engine.NotConnected && !used {
			view.Also = append(view.Also, status.Client.Name)
			continue
		}
		card := cardOf(status, use, used, facts)
		card.Import, card.Moved = slices.Contains(facts.Sources, status.Client.ID), facts.Moved[status.Client.ID]
		if status.State == engine.Connected {
			card.Twice = facts.Twice[status.Client.ID]
		}
		view.Cards = append(view.Cards, card)
	}
	for _, id := range facts.Sources {
		if !listed[id] {
			view.Cards = append(view.Cards, Card{
				ID: id, Name: imports.Name(id), State: theme.StateIdle, Word: lang.L("Only its servers can be brought in"),
				Import: true, Moved: facts.Moved[id],
			})
		}
	}
	return view
}

func cardOf(status engine.Status, use Use, used bool, facts Facts) Card {
	client := status.Client
	limits := client.Limits
	card := Card{ID: client.ID, Name: client.Name, Disconnect: status.State != engine.NotConnected}
	for _, file := range status.Files {
		card.Files, card.Paths = append(card.Files, fileLine(file, facts.Home)), append(card.Paths, file.Path)
	}
	card.Used = usedWords(use, used, facts)
	if card.Used == "" && status.Proof != nil {
		card.Used = lang.L("Last seen {{.Time}}", map[string]any{"Time": live.Clock(status.Proof.Time, facts.Now)})
	}
	switch status.State {
	case engine.Connected:
		if status.StartsWindow {
			card.Next = []string{lang.L("It takes more memory than it needs. Reconnect it to change that.")}
			card.Way = lang.L("Reconnect…")
		}
		if status.Proven() {
			card.State, card.Word = theme.StateConnected, lang.L("Connected")
			break
		}
		// The entry is there, but only the app itself can prove that it works.
		card.State, card.Word = theme.StateWorking, lang.L("Set up")
		card.Next = append(card.Next, kit.Words().Texts(client.Next())...)
		// Next says it already
		limits = slices.DeleteFunc(slices.Clone(limits), func(limit words.Code) bool { return limit == client.Trust })
	case engine.Outdated:
		card.State, card.Word = theme.StateNotice, lang.L("Starts another Workbench")
		card.Way = lang.L("Reconnect…")
	case engine.Lost:
		card.State, card.Word = theme.StateWrong, lang.L("No longer connected")
		card.Next = lostWords(status)
		card.Way = lang.L("Reconnect…")
		if status.Loss != nil && status.Loss.Asks {
			card.LeaveOut, card.Disconnect = true, false
		}
	case engine.Broken:
		card.State, card.Word = theme.StateWrong, lang.L("Its settings file is damaged")
		card.Way = lang.L("See why…")
	default:
		card.State, card.Word = theme.StateIdle, lang.L("Not connected")
		card.Way = lang.L("Connect…")
		if facts.ByHand[client.ID] {
			card.Way = lang.L("Show how…")
		}
		switch {
		case use.Here:
			card.State, card.Word = theme.StateConnected, lang.L("Connected by hand")
		case client.ByHand != "" && status.Proof != nil: // its entry may be where Workbench does not look, such as in a project
			card.Word = lang.L("Connected by hand")
		}
	}
	card.Next = append(card.Next, kit.Words().Texts(status.Policy)...)
	for _, limit := range limits {
		card.Limits = kit.Together(card.Limits, kit.Say(client.Say(limit)))
	}
	if facts.Problem != "" {
		card.Way = ""
	}
	if card.Disconnect || used {
		for _, toolbox := range facts.Toolboxes {
			card.Toolboxes = append(card.Toolboxes, Tick{toolbox.Name, toolbox.SeenBy(client.ID)})
		}
	}
	return card
}

// lostWords says what to do about an entry that was removed.
func lostWords(status engine.Status) []string {
	app := map[string]any{"App": status.Client.Name}
	switch loss := status.Loss; {
	case status.Mends():
		return []string{lang.L("{{.App}} removed Workbench. Quit it and we'll restore the entry.", app)}
	case loss != nil && loss.Asks && !loss.Explanation().IsZero():
		return []string{lang.L("{{.App}} removed Workbench, and the entry could not be restored.", app),
			kit.Line(kit.Say(loss.Explanation()))}
	}
	return []string{lang.L("Workbench is no longer in the file of {{.App}}.", app)}
}

// fileLine returns the path of a file for people to read.
func fileLine(file engine.File, home string) string {
	path := kit.ShortPath(file.Path, home)
	line, says := path, ""
	if !file.Exists {
		line = lang.L("{{.Path}} (not there yet)", map[string]any{"Path": path})
	}
	if file.Says != "" {
		says = kit.Say(file.Says.Text())
	}
	return kit.Facts(line, says)
}
