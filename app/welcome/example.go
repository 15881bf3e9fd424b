package welcome

import (
	"encoding/json"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
)

// ExampleServer is a server of the example toolbox: it needs no account.
type ExampleServer struct {
	Name, About string
	Runs        string // what is started, or its address
	Command     string // the program; empty for an address
	Entry       json.RawMessage
}

// example is a working toolbox for people who have no servers to bring in.
type example struct {
	known bool                     // what is installed here was looked up
	has   map[catalogue.Needs]bool // what is

	writing bool
	problem string
	trials  // of its toolbox, which has no name before it is made
}

// exampleServers are those that work with what is on this computer, without an account. What is on the web needs nothing.
func exampleServers(has map[catalogue.Needs]bool) []ExampleServer {
	ids := []string{"deepwiki"}
	switch {
	case has[catalogue.NeedsNode]:
		ids = []string{"memory", "everything"}
	case has[catalogue.NeedsUV]:
		ids = []string{"fetch", "wikipedia"}
	}
	var servers []ExampleServer
	for _, id := range ids {
		entry, ok := catalogue.Find(id)
		if !ok {
			continue // held by a test
		}
		name, written, err := entry.Fill(nil)
		if err != nil {
			continue
		}
		if server, _, ok := paste.Read(name, written); ok {
			servers = append(servers, ExampleServer{
				Name: name, About: kit.Say(entry.Description), Entry: written, Command: server.Command, Runs: paste.CommandLine(server),
			})
		}
	}
	return servers
}

func (e *example) begun() bool { return e.writing || e.toolbox != "" }

// offer adds the example to a page that has nothing else to offer.
func (e *example) offer(m *model, view View, why string) View {
	view.Skip = skip()
	view.Texts = append(view.Texts, why)
	if m.facts.Servers > 0 {
		view.Skip = Button{}
		view.Texts = append(view.Texts, lang.N("Your toolboxes have {{.Count}} servers already.", m.facts.Servers, map[string]any{"Count": m.facts.Servers}))
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		return view
	}
	if !e.known {
		view.Busy = lang.L("Looking for what is installed here…")
		return view
	}
	view.Texts = append(view.Texts, lang.L("Begin with an example: a toolbox that works without any account."))
	for _, server := range exampleServers(e.has) {
		view.Rows = append(view.Rows, Row{Key: "example " + server.Name, Name: server.Name, Runs: server.Runs, Lines: []Line{{Text: server.About}}})
	}
	if !e.has[catalogue.NeedsNode] && !e.has[catalogue.NeedsUV] {
		view.Small = append(view.Small, lang.L("It works over the internet. Most other servers need Node.js, which is not installed here; you can get it at any time."))
		view.Others = append(view.Others, Button{Text: lang.L("Get Node.js"), Action: ActionGet, With: catalogue.NeedsNode.Link()})
	} else {
		view.Small = append(view.Small, lang.L("The servers are downloaded when they are started for the first time. {{.Keys}} removes the example again.",
			map[string]any{"Keys": kit.Keys("Ctrl+Z")}))
	}
	if e.problem != "" {
		view.Notice = Sign{theme.StateWrong, e.problem}
	}
	view.Main = Button{Text: lang.L("Add the example and try it"), Action: ActionExample}
	return view
}

// view makes the View of the step once the example was chosen.
func (e *example) view(m *model) View {
	if e.writing {
		return View{Title: lang.L("The example toolbox"), Busy: lang.L("Writing the file…")}
	}
	view := View{Title: lang.L("The toolbox “{{.Toolbox}}”", map[string]any{"Toolbox": kit.Line(e.toolbox)}), Main: Button{Text: lang.L("Continue"), Action: ActionNext}}
	if m.facts.Servers == 0 { // it was undone
		view.Notice = Sign{theme.StateIdle, lang.L("The example was removed.")}
		view.Others = []Button{{Text: lang.L("Add it again"), Action: ActionChoose}}
		return view
	}
	for _, t := range e.list {
		view.Rows = append(view.Rows, t.row())
	}
	works, ended := e.count()
	switch {
	case ended < len(e.list):
		view.Texts = []string{lang.L("It is tried right away. You can go on meanwhile.")}
	case works == len(e.list):
		view.Mark, view.Title = MarkGood, lang.L("Your first toolbox works")
		view.Texts = []string{lang.L("It is called “{{.Toolbox}}”. You can delete it later.", map[string]any{"Toolbox": kit.Line(e.toolbox)})}
	default:
		view.Texts = []string{lang.L("Not everything works yet. You can continue and fix it later under Toolboxes.")}
	}
	return view
}
