// Package toolboxes is the screen that shows the toolboxes of the configuration with their servers.
//
// What the screen shows is a [View], a plain value made from the configuration; the widgets only draw it. So what is
// shown can be tested without a window.
package toolboxes

import (
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// View is what the screen shows. It is not changed once made; a change of the configuration gives a new one.
type View struct {
	Path      string // of the configuration file, absolute
	Toolboxes []Toolbox
	Problems  []Problem // of the file as it is now, in its order

	// Broken is set when the file as it is now cannot be used. The toolboxes are then those of the last version that
	// could, and there are none when there was no such version.
	Broken bool
}

// Toolbox is one toolbox as shown.
type Toolbox struct {
	Name        string
	Description string // empty when the file has none
	Servers     []Server
}

// Server is one server as shown.
type Server struct {
	Name  string
	Line  string // the command line, or the address of a remote server
	Kind  string // where it runs, in words, when that is not this computer
	State theme.State
	Word  string // the state in words
}

// Problem is something that is wrong with the file, as shown.
type Problem struct {
	Place   string // file:line:column and what is there, or the file alone
	Message string // what is wrong
	Hint    string // what to do, or empty
	State   theme.State
}

// Source is what a View is made from.
type Source struct {
	Path string // of the configuration file

	// Good is the newest version that could be used, nil when there has been none.
	Good *config.Document

	// Now is the file as it is now, nil when it could not be read; Err then says why.
	Now *config.Document
	Err error
}

// Look makes the View of a configuration.
func Look(source Source) View {
	view := View{Path: source.Path, Problems: problems(source)}
	view.Broken = source.Now == nil || !source.Now.Valid()
	if source.Good == nil {
		return view
	}
	for _, toolbox := range source.Good.Config.Toolboxes {
		view.Toolboxes = append(view.Toolboxes, lookToolbox(toolbox))
	}
	return view
}

func lookToolbox(toolbox *config.Toolbox) Toolbox {
	shown := Toolbox{Name: toolbox.Name, Description: toolbox.Description}
	for _, server := range toolbox.Servers {
		shown.Servers = append(shown.Servers, lookServer(server))
	}
	return shown
}

func lookServer(server *config.Server) Server {
	shown := Server{Name: server.Name, State: theme.StateIdle, Word: lang.L("Not started yet")}
	if server.Disabled {
		shown.State, shown.Word = theme.StateDisabled, lang.L("Switched off")
	}
	if server.Transport == config.TransportStdio {
		shown.Line = commandLine(server.Command, server.Args)
	} else {
		shown.Line, shown.Kind = server.URL, lang.L("Web address")
	}
	// A window is seen by others too, over a shoulder or in a shared screen.
	shown.Line = secret.Mask(shown.Line)
	return shown
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

func problems(source Source) []Problem {
	if source.Now == nil {
		problem := Problem{Place: source.Path, State: theme.StateWrong}
		if source.Err != nil {
			problem.Message = sentence(source.Err.Error())
		}
		return []Problem{problem}
	}
	var found []Problem
	for _, diagnostic := range source.Now.Diagnostics {
		problem := Problem{
			Place:   place(source.Path, diagnostic),
			Message: sentence(diagnostic.Message),
			Hint:    sentence(diagnostic.Hint),
			State:   theme.StateWrong,
		}
		switch diagnostic.Severity {
		case config.SeverityWarning:
			problem.State = theme.StateNotice
		case config.SeverityInfo:
			problem.State = theme.StateIdle
		}
		found = append(found, problem)
	}
	return found
}

// place says where in the file something is, first as editors understand it, then as the file calls it.
func place(path string, diagnostic config.Diagnostic) string {
	at := filepath.Base(path) + ":" + strconv.Itoa(diagnostic.Line) + ":" + strconv.Itoa(diagnostic.Column)
	if diagnostic.Path == "" {
		return at
	}
	return at + "  ·  " + diagnostic.Path
}

// sentence begins a message with a capital letter, since the engine writes its messages to follow a colon. A message that
// begins with a name of the file, quoted or not a plain word, is left as it is.
func sentence(message string) string {
	first, _, _ := strings.Cut(message, " ")
	if first == "" || strings.IndexFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
		return message
	}
	return strings.ToUpper(first[:1]) + message[1:]
}

// Worst is the state of the configuration as a whole, for the places that show it as one.
func (v View) Worst() theme.State {
	worst := theme.StateConnected
	for _, problem := range v.Problems {
		switch {
		case problem.State == theme.StateWrong:
			return theme.StateWrong
		case problem.State == theme.StateNotice:
			worst = theme.StateNotice
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
