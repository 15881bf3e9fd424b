// Package toolboxes is the screen that shows the toolboxes of the configuration with their servers, and changes them.
//
// The screen draws a [View], a plain value that [NewView] makes from the configuration, the state of the engines and
// what the model has found to be wrong. The View adds the sentences, in the language of the window.
// What the user does becomes operations of package edit, which go to the [Program]. The screen itself changes nothing;
// it shows the change when the next View is applied. So searching, dragging and their results can be tested without a
// window.
package toolboxes

import (
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
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// View is the content of the screen. It does not change; another configuration gives another View. It is not in
// package model, because it contains texts in the language of the window. What is wrong, and what helps, it has from
// there.
type View struct {
	*model.Findings
	Path      string // of the configuration file, absolute
	Toolboxes []Toolbox
	Problems  []Problem   // those of the Findings, in the same order
	Apps      []model.App // the apps that can see a toolbox
	AppsKnown bool        // Workbench has looked for the apps on this computer
	Using     []model.App // the apps that use the toolboxes now ([model.Live.Using])

	// Gone reports that another program has removed the file, and that it can be put back. If the file cannot be used at
	// present (Broken), the toolboxes are those of the last usable version, if there was one.
	Gone bool
}

// Toolbox is one toolbox as shown.
type Toolbox struct {
	Name        string
	Description string   // empty if nobody has written one: the names of the servers, which an import writes, are none
	AskFirst    bool     // the user is asked before one of its tools acts
	AlwaysOpen  bool     // AI apps have its tools from the start
	Apps        []string // the IDs of the AI apps that see it; nil for all apps
	Folders     []string // in which it is seen; nil for all folders
	Servers     []Server
	Note        string // a short text about the state of its servers
	Wrong       bool   // the note is about a problem
	Cost        Cost   // in tokens
}

// Server is one server as shown.
type Server struct {
	*model.Finding
	Name   string
	entry  *config.Server
	line   string       // the command line, or the address of a remote server, including secrets
	State  theme.State  // how the state is drawn
	Word   string       // the state in a word or two, such as "Connected"
	Note   string       // a shorter or more precise text, such as "14 tools"
	Detail string       // a sentence with more details, such as the reason for the state
	Status status.State // the state in the engines; Disabled if the file says so
	Used   string       // a text about when an AI app last used it; empty if unknown
	Unused bool         // no AI app has used it in all the time for which calls are kept
	Tools  []string     // the known names of its tools, for the search
}

// NewView returns the View of a snapshot. path is the path of the configuration file, and found are the findings of
// the snapshot.
func NewView(path string, now *model.Snapshot, found *model.Findings) View {
	view := View{Findings: found, Path: path, Gone: now.File.Gone}
	if now.Good != nil {
		for _, toolbox := range now.Good.Config.Toolboxes {
			view.Toolboxes = append(view.Toolboxes, lookToolbox(now, found, toolbox))
		}
	}
	for _, problem := range found.Problems {
		said := view.say(problem)
		said.offer(view.server(problem.At))
		view.Problems = append(view.Problems, said)
	}
	for i := range view.Toolboxes {
		toolbox := &view.Toolboxes[i]
		toolbox.Note, toolbox.Wrong = summary(toolbox.Servers, found.CountOf(toolbox.Name))
	}
	return view
}

// description returns what somebody has written about a toolbox.
func description(toolbox *config.Toolbox) string {
	var names []string
	for _, server := range toolbox.Servers {
		if !server.Disabled {
			names = append(names, server.Name)
		}
	}
	if toolbox.Description == edit.About(names) {
		return ""
	}
	return toolbox.Description
}

func lookToolbox(now *model.Snapshot, found *model.Findings, toolbox *config.Toolbox) Toolbox {
	shown := Toolbox{Name: toolbox.Name, Description: description(toolbox),
		AskFirst: toolbox.AskFirst, AlwaysOpen: toolbox.Open, Apps: toolbox.Apps, Folders: toolbox.Folders,
		Cost: cost(toolbox, now.Tools)}
	for _, server := range toolbox.Servers {
		at := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
		looked := lookServer(server, found.Of(at), now.Time)
		for _, tool := range now.Tools[at] {
			looked.Tools = append(looked.Tools, tool.Name)
		}
		use := now.Usage.Report.LastUse(toolbox.Name, server.Name)
		looked.Used, looked.Unused = kit.Say(use.Say(now.Time)), !server.Disabled && use.Unused(now.Time)
		shown.Servers = append(shown.Servers, looked)
	}
	return shown
}

func lookServer(server *config.Server, found *model.Finding, moment time.Time) Server {
	words := live.Words(found.Server, moment)
	if found.Doubt != nil {
		words = words.Doubt(*found.Doubt)
	}
	shown := Server{Finding: found, Name: server.Name, entry: server, Status: found.Server.State,
		State: words.State, Word: words.Word, Note: words.Note, Detail: words.Detail}
	if server.Transport == config.TransportStdio {
		shown.line = commandLine(server.Command, server.Args)
	} else {
		shown.line = server.URL
	}
	return shown
}

// FixWord returns the text of the button that repairs a server, or "" if there is nothing to repair.
func (s Server) FixWord() string {
	get := runtimes.LackLabel(s.Lack, true)
	switch {
	case get != "":
		return get
	case s.Repair != nil:
		return shortName(kit.Say(s.Repair.Fix.Title))
	}
	return live.HelpWords(s.Help())
}

// Line returns the command line, or the address of a remote server, without secrets, because other people may see the
// window. Masking takes time, so call it only for servers that are shown.
func (s Server) Line() string { return secret.Mask(s.line) }

// summary returns a text about the state of a toolbox's servers, and whether one of them has a problem. The text is
// empty if there is nothing to say: the servers have their own.
func summary(servers []Server, attention int) (note string, wrong bool) {
	on, connected, working, unseen, paused := 0, 0, 0, false, false
	for _, server := range servers {
		unseen, paused = unseen || server.Unseen != model.NoTrouble, paused || server.Paused
		switch server.State {
		case theme.StateDisabled:
			continue
		case theme.StateConnected:
			connected++
		case theme.StateWorking:
			working++
		}
		on++
	}
	switch {
	case attention > 0:
		return lang.N("{{.Count}} need something", attention, map[string]any{"Count": attention}), true
	case len(servers) == 0:
		return lang.L("Empty"), false
	case on == 0:
		return lang.L("Switched off"), false
	case working > 0:
		return lang.L("Starting…"), false
	case connected == 0 && unseen:
		return lang.L("Unknown"), false
	case connected == 0 && paused:
		return lang.L("Paused"), false
	}
	return "", false
}

// commandLine returns a command line with the arguments quoted where necessary, for people: a path stays as it is
// written.
func commandLine(command string, args []string) string {
	words := make([]string, 0, 1+len(args))
	for _, word := range append([]string{command}, args...) {
		if word == "" || strings.ContainsAny(word, " \t\n\"'") {
			word = `"` + strings.ReplaceAll(word, `"`, `\"`) + `"`
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// unused returns the number of unused servers.
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

// Servers returns the number of servers in all toolboxes, including those that are switched off.
func (v View) Servers() int {
	count := 0
	for _, toolbox := range v.Toolboxes {
		count += len(toolbox.Servers)
	}
	return count
}
