// Package toolboxes is the screen that shows the toolboxes of the configuration with their servers, and changes them.
//
// The screen shows a [View], a plain value that [NewView] makes from the configuration and the state of the engines; the widgets
// only draw it. What the user does becomes operations of package edit, which go to [Actions]. The screen itself changes nothing;
// it shows the change when the next View is applied. So searching, dragging and their results can be tested without a window.
package toolboxes

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// View is the content of the screen. It does not change; another configuration gives another View. It does not belong to package
// model, because it only presents the snapshot in the language and the shapes of the window.
type View struct {
	Path      string // of the configuration file, absolute
	Toolboxes []Toolbox
	Problems  []Problem   // first those of the file, in its order, then those of the servers
	Apps      []model.App // for which a toolbox can be

	// Broken is set when the file cannot be used as it is. The toolboxes are then those of the last usable version, if there was
	// one.
	Broken bool
}

// Toolbox is one toolbox as shown.
type Toolbox struct {
	Name        string
	Description string   // empty when the file has none
	About       string   // it in the language of the window, where it was made of the names of the servers; else empty
	AskFirst    bool     // the person is asked before a tool of it acts
	AlwaysOpen  bool     // AI apps have its tools from the start
	Apps        []string // the ids of the AI apps that see it; nil: all do
	Servers     []Server
	Note        string // how its servers are doing, in a few words
	Wrong       bool   // the note says that something is wrong
	Cost        Cost   // in tokens
}

// Server is one server as shown.
type Server struct {
	Name    string
	line    string // the command line, or the address of a remote server, secrets included
	Kind    string // where it runs, in words; "" for this computer
	State   theme.State
	Word    string // the state in a word or two, such as "Connected"
	Note    string // shorter still, or more telling: "14 tools"
	Detail  string // a sentence: why, by which client, since when
	Status  status.State
	Paused  bool     // with all others, by the user
	Waiting int      // how many of its tools have changed and wait for approval; 0 unless it is connected
	Changed bool     // another program has changed its entry, and nobody has approved that
	Unseen  bool     // an engine that cannot be seen may have it, and no other has
	Used    string   // when an AI app used it last, in words; empty: nobody knows
	Unused  bool     // for as long as that is kept
	Tools   []string // the known names of its tools, for the search

	Help    live.Help          // what would help it, if it needs help
	Repair  *config.Diagnostic // a problem of the file whose fix helps more; may be nil
	needs   string             // the id of the runtime whose command was not found; empty: none
	Runtime model.Runtime      // that, where it can be got or is being got, by [View.With]; else zero
}

// Source has everything that a View is made from.
type Source struct {
	Path string // of the configuration file

	// Good is the newest version that could be used, nil when there has been none.
	Good *config.Document

	// Now is the present file; nil when it could not be read, and Err says why.
	Now *config.Document
	Err error

	// More are diagnostics of the present file that need more than its text: those of config's CheckEnvironment and CheckTools.
	More []config.Diagnostic

	// Unknown is why it cannot be told what waits for approval; nil when it can.
	Unknown error

	// Live is the state of the engines; nil when nothing is known.
	Live *model.Live

	// Time is the present moment, from which "trying again in 4 s" counts.
	Time time.Time

	// Tools are the tools that servers are known to have, those left out that toolFilters keep from clients. A server that
	// is not in it is one of which nothing is known.
	Tools map[model.Choice][]model.Tool

	// Usage has the calls that were recorded; nil when nothing is known.
	Usage *usage.Report
}

// NewView makes the View of a configuration.
func NewView(source Source) View {
	view := View{Path: source.Path}
	view.Broken = source.Now == nil || !source.Now.Valid()
	if source.Good != nil {
		view.Toolboxes = make([]Toolbox, 0, len(source.Good.Config.Toolboxes))
		for _, toolbox := range source.Good.Config.Toolboxes {
			view.Toolboxes = append(view.Toolboxes, lookToolbox(source, toolbox))
		}
	}
	view.Problems = problems(source, view)
	view.warn()
	return view
}

// warn gives servers that were not started the problems that the file has with them: these would keep them from starting, or from
// doing what they should. A fix that the problem offers is offered at the server too.
func (v *View) warn() {
	for i := range v.Problems {
		problem := &v.Problems[i]
		if problem.OfServer() || problem.State == theme.StateIdle {
			continue
		}
		t, s, ok := v.find(problem.At)
		if !ok || s == noServer {
			continue
		}
		server := &v.Toolboxes[t].Servers[s]
		if server.needs == "" && runtimes.Missing(problem.Diagnostic) && server.State != theme.StateDisabled {
			command, _, _ := strings.Cut(server.line, " ") // none that a runtime brings has a space
			server.needs = runtimes.For(command)
		}
		said := live.Shown{State: server.State, Detail: server.Detail}.Doubt(server.Status, server.Paused || server.Unseen, problem.Message)
		if said.State != server.State {
			server.State, server.Detail, server.Help = said.State, said.Detail, live.HelpShow
		}
		if runs := server.Status == status.Connected || server.Status == status.Starting; problem.Fix != "" && !runs && server.Repair == nil {
			server.Repair = &problem.Diagnostic
		}
	}
}

// about says in the language of the window what a description says that was made of the names of the servers; nothing of any other.
func about(toolbox *config.Toolbox) string {
	var names []string
	for _, server := range toolbox.Servers {
		if !server.Disabled {
			names = append(names, server.Name)
		}
	}
	if toolbox.Description == "" || toolbox.Description != edit.About(names) {
		return ""
	}
	return lang.L("Servers: {{.Names}}", map[string]any{"Names": strings.Join(names, ", ")})
}

func lookToolbox(source Source, toolbox *config.Toolbox) Toolbox {
	shown := Toolbox{Name: toolbox.Name, Description: toolbox.Description, About: about(toolbox), AskFirst: toolbox.AskFirst, AlwaysOpen: toolbox.Open, Apps: toolbox.Apps, Cost: cost(toolbox, source.Tools)}
	for _, server := range toolbox.Servers {
		now := serverState(source.Live, toolbox.Name, server)
		looked := lookServer(server, now, source.Time)
		if toolbox.Open && looked.Detail == live.NotOpened() {
			looked.Detail = lang.L("Starts when an AI app uses it.")
		}
		for _, tool := range source.Tools[model.Choice{Toolbox: toolbox.Name, Server: server.Name}] {
			looked.Tools = append(looked.Tools, tool.Name)
		}
		use := source.Usage.LastUse(toolbox.Name, server.Name)
		looked.Used, looked.Unused = kit.Say(use.Say(source.Time)), !server.Disabled && use.Unused(source.Time)
		shown.Servers = append(shown.Servers, looked)
	}
	shown.Note, shown.Wrong = summary(shown.Servers)
	return shown
}

// serverState is how a server is doing. What the file says goes before what the engines say, who follow it a moment later.
func serverState(state *model.Live, toolbox string, server *config.Server) model.Server {
	now := model.Server{Server: status.Server{Toolbox: toolbox, Name: server.Name, State: status.NotStarted}}
	if state != nil {
		now = state.Server(toolbox, server.Name)
	}
	if now.State == "" || now.State == status.Disabled {
		now.State = status.NotStarted
	}
	if server.Disabled {
		now = model.Server{Server: status.Server{Toolbox: toolbox, Name: server.Name, State: status.Disabled}}
	}
	return now
}

func lookServer(server *config.Server, now model.Server, moment time.Time) Server {
	words := live.Words(now, moment)
	shown := Server{
		Name: server.Name, Status: now.State, Paused: now.Paused, Unseen: now.Unseen != model.NoTrouble, Changed: now.Changed && !server.Disabled,
		Waiting: now.Waiting, State: words.State, Word: words.Word, Note: words.Note, Detail: words.Detail, Help: words.Help,
	}
	if shown.Note == "" {
		shown.Note = shown.Word
	}
	if now.Problem != nil && now.Problem.Kind == status.KindProgram {
		shown.needs = runtimes.For(now.Problem.Program)
	}
	if server.Transport == config.TransportStdio {
		shown.line = commandLine(server.Command, server.Args)
	} else {
		shown.line, shown.Kind = server.URL, lang.L("Web address")
	}
	return shown
}

// Line returns the command line, or the address of a remote server, without secrets, because other people may see the window.
// Masking takes time, so call it only for servers that are shown.
func (s Server) Line() string { return secret.Mask(s.line) }

// summary says how the servers of a toolbox are doing, and whether something is wrong with one of them.
func summary(servers []Server) (note string, wrong bool) {
	on, connected, working, attention, unseen := 0, 0, 0, 0, false
	for _, server := range servers {
		unseen = unseen || server.Unseen
		if server.Changed {
			attention++
			on++
			continue
		}
		switch server.State {
		case theme.StateDisabled:
			continue
		case theme.StateConnected:
			connected++
		case theme.StateWorking:
			working++
		case theme.StateWrong, theme.StateKey:
			attention++
		case theme.StateNotice:
			if server.Waiting > 0 {
				attention++
			}
		}
		on++
	}
	switch {
	case attention > 0:
		return lang.N("{{.Count}} need attention", attention, map[string]any{"Count": attention}), true
	case len(servers) == 0:
		return lang.L("Empty"), false
	case on == 0:
		return lang.L("Switched off"), false
	case working > 0:
		return lang.L("Starting…"), false
	case connected == 0 && unseen:
		return lang.L("Unknown"), false
	case connected == 0 && servers[0].Paused:
		return lang.L("Paused"), false
	case connected == 0:
		return lang.L("Not started"), false
	}
	return lang.L("{{.Connected}} of {{.All}} connected", map[string]any{"Connected": connected, "All": on}), false
}

// commandLine writes a command with its arguments as one types it, so that arguments with spaces can be told apart.
func commandLine(command string, args []string) string {
	words := make([]string, 0, 1+len(args))
	for _, word := range append([]string{command}, args...) {
		if word == "" || strings.ContainsAny(word, " \t\n\"'") {
			word = strconv.Quote(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// unused counts the servers that nobody has used for 30 days.
func (v View) unused() int {
	count := 0
	for _, toolbox := range v.Toolboxes {
		for _, server := range toolbox.Servers {
			if server.Unused {
				count++
			}
		}
	}
	return count
}

// Worst is the state of the configuration as a whole, for the places that show it as one.
func (v View) Worst() theme.State {
	worst := theme.StateConnected
	for _, problem := range v.Problems {
		if weight(problem.State) < weight(worst) {
			worst = problem.State
		}
	}
	return worst
}

// Servers counts the servers of all toolboxes, those that are switched off included.
func (v View) Servers() int {
	count := 0
	for _, toolbox := range v.Toolboxes {
		count += len(toolbox.Servers)
	}
	return count
}

// Count says how many servers a toolbox has, in words.
func Count(servers int) string {
	return lang.N("{{.Count}} servers", servers, map[string]any{"Count": servers})
}
