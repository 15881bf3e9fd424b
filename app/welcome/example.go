package welcome

import (
	"encoding/json"
	"slices"
	"strconv"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// ExampleServer is a server of the example toolbox. It needs no account.
type ExampleServer struct {
	Name, About string
	Command     string // the program; empty for a server with an address
	Entry       json.RawMessage
}

// exampleServers returns servers that come with the program, so that nothing has to be installed or downloaded.
func exampleServers() []ExampleServer {
	var servers []ExampleServer
	for _, id := range []string{"notes", "time"} {
		entry, ok := catalogue.Find(id)
		if !ok {
			continue // a test checks that the entries exist
		}
		name, written, err := entry.Fill(nil)
		if err != nil {
			continue
		}
		if server, _, ok := foreign.Read(name, written); ok {
			servers = append(servers, ExampleServer{
				Name: name, About: kit.Say(entry.Description), Entry: written, Command: server.Command,
			})
		}
	}
	return servers
}

// AddExample adds a toolbox with these servers, as a single edit. taken are the names of the toolboxes that there are.
// done gets the name of the new toolbox.
func AddExample(saver *saving.Saver, taken []string, servers []ExampleServer, done func(name string, err error)) {
	name := "example"
	for i := 2; slices.Contains(taken, name); i++ {
		name = "example-" + strconv.Itoa(i)
	}
	ops := []edit.Op{edit.AddToolbox{Name: name, Description: lang.L("An example to see what tools can do")}}
	for _, server := range servers {
		ops = append(ops, edit.AddServer{Toolbox: name, Name: server.Name, Entry: server.Entry})
	}
	saver.Edit(ops, func(err error) {
		done(name, err)
		if err == nil {
			saver.Undoable(lang.L("Added the toolbox “{{.Toolbox}}”", map[string]any{"Toolbox": kit.Line(name)}))
		}
	})
}

// offerExample adds the offer of an example to a page that has nothing else to offer. If the toolboxes have servers
// already, it offers to continue instead.
func (p *page) offerExample(view View) View {
	e := &p.Example
	view.Skip = skip()
	view.Texts = append(view.Texts, lang.L("No AI app here has servers to bring in."))
	if p.facts.Servers > 0 {
		view.Skip = Button{}
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		return view
	}
	view.Texts = append(view.Texts, lang.L("Begin with an example: a toolbox that works without any account."))
	for _, server := range exampleServers() {
		view.Rows = append(view.Rows, Row{Key: "example " + server.Name, Mark: server.Name, Name: server.Name,
			Lines: []Line{{Text: server.About}}})
	}
	if e.Problem != "" {
		view.Notice = Sign{State: theme.StateWrong, Text: e.Problem}
	}
	view.Main = Button{Text: lang.L("Add the example and try it"), Action: ActionExample}
	return view
}

// viewExample returns the View of the first step after the user has chosen the example.
func (p *page) viewExample() View {
	e := &p.Example
	if e.Writing {
		return View{Title: lang.L("Welcome to Workbench"), Busy: lang.L("Saving…")}
	}
	view := View{Title: lang.L("The toolbox “{{.Toolbox}}”", map[string]any{"Toolbox": kit.Line(e.Toolbox)}),
		Main: Button{Text: lang.L("Continue"), Action: ActionNext}}
	for _, t := range e.List {
		view.Rows = append(view.Rows, p.trialRow(t))
	}
	works, ended := e.Count()
	switch {
	case ended < len(e.List):
	case works == len(e.List):
		view.Mark, view.Title = MarkGood, lang.L("Your first toolbox works")
	default:
		view.Texts = []string{lang.L("Not everything works yet. You can continue and fix it later under Toolboxes.")}
	}
	return view
}
