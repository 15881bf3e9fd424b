package welcome

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// viewBring returns the View of the first step, which brings in the servers of other apps. No file of an app is read
// until the user asks for it.
func (p *page) viewBring() View {
	switch b := &p.Bring; {
	case p.Example.Begun() && (p.Example.Writing || p.facts.Servers > 0): // otherwise it was undone
		return p.viewExample()
	case b.Stage == model.BringDone:
		return p.viewBrought()
	case b.Stage == model.BringServers || b.Stage == model.BringWriting:
		return p.viewServers()
	case !p.facts.Known:
		view := greeting()
		view.Busy = lang.L("Looking for AI apps…")
		view.Skip = skip()
		return view
	case len(p.facts.Sources) == 0:
		return p.offerExample(greeting())
	}
	return p.viewApps()
}

// greeting returns the beginning of the first page.
func greeting() View {
	return View{
		Mark: MarkOurs, Title: lang.L("Welcome to Workbench"),
		Texts: []string{lang.L("Servers give AI apps their tools. Workbench keeps yours together, in toolboxes.")},
	}
}

func skip() Button { return Button{Text: lang.L("Skip this step"), Action: ActionNext} }

// viewApps shows the apps that may have servers.
func (p *page) viewApps() View {
	b := &p.Bring
	view := greeting()
	view.Texts = append(view.Texts, lang.L("Your AI apps may have servers already. Shall we look?"))
	reading := b.Stage == model.BringReading
	chosen := 0
	for _, id := range p.facts.Sources {
		if !b.Left[id] {
			chosen++
		}
		view.Rows = append(view.Rows, Row{Key: appKey(id), Mark: id, Name: imports.Name(id), Box: true,
			On: !b.Left[id], Off: reading})
	}
	view.Small = []string{lang.L("Their files are only read. You see what is in them before anything is brought in.")}
	view.Skip = skip()
	if b.Problem != "" {
		view.Notice = Sign{State: theme.StateWrong, Text: b.Problem}
	}
	view.Main = Button{Text: lang.L("Find servers"), Action: ActionRead, Off: chosen == 0}
	if reading {
		view.Busy = lang.L("Looking for servers…")
		view.Skip = Button{Text: lang.L("Cancel"), Action: ActionStop}
		view.Main.Off = true
	}
	return view
}

// viewServers shows the servers that can be brought in.
func (p *page) viewServers() View {
	b := &p.Bring
	plan := b.Plan
	chooseAgain := Button{Text: lang.L("Back"), Action: ActionChoose}
	if len(plan.Servers) == 0 {
		view := p.offerExample(View{Title: lang.L("Nothing to bring in")})
		view.Small = append(notes(plan), view.Small...)
		view.Unread = unreadable(plan)
		view.Back = chooseAgain
		return view
	}
	count := len(plan.Servers)
	view := View{
		Title: lang.N("{{.Count}} servers found", count, map[string]any{"Count": count}),
		Texts: []string{lang.N("They are copied into the toolbox “{{.Toolbox}}” and tried. Nothing changes in your apps yet.", count, map[string]any{"Toolbox": kit.Line(plan.Toolbox)})},
		Small: notes(plan), Skip: skip(), Back: chooseAgain,
	}
	writing := b.Stage == model.BringWriting
	view.Unread = unreadable(plan)
	secrets, folded, same := false, false, true
	for i := range plan.Servers {
		row := p.serverRow(&plan.Servers[i], writing)
		view.Rows = append(view.Rows, row)
		secrets, folded = secrets || len(plan.Servers[i].Secrets) > 0, folded || row.Server == nil
		same = same && row.App == view.Rows[0].App
	}
	if same { // each row would say the same
		for i := range view.Rows {
			view.Rows[i].App = ""
		}
	}
	if folded {
		view.Others = []Button{{Text: lang.L("Show commands"), Action: ActionCommands}}
	}
	switch {
	case secrets && b.NoKeychain:
		view.Small = append(view.Small, clients.NoKeychain())
	case secrets && (!b.Keychain || b.Problem != ""): // the keychain has refused them; the user decides
		view.Switch = Switch{Text: lang.L("Keep passwords and keys in the keychain of this computer, not in the file"),
			On: b.Keychain}
	}
	if secrets && b.Keychain && !b.NoKeychain && !writing {
		view.Small = append(view.Small, lang.L("Keys and passwords go into the keychain of this computer."))
	}
	if b.Problem != "" {
		view.Notice = Sign{State: theme.StateWrong, Text: b.Problem}
	}
	chosen := len(b.Chosen().Servers)
	view.Main = Button{Text: lang.N("Bring in {{.Count}} servers", chosen, map[string]any{"Count": chosen}),
		Action: ActionBring, Off: writing || chosen == 0}
	if writing {
		view.Main.Text = lang.L("Bringing them in…") // in the button, since a text below many servers would be out of sight
		view.Skip, view.Back = Button{}, Button{}
	}
	return view
}

// serverRow returns the row of a server.
func (p *page) serverRow(server *imports.Found, off bool) Row {
	b := &p.Bring
	row := Row{Key: server.Key(), Mark: catalogue.Known(&server.Entry), Name: server.As, Box: true, On: !b.Leave[server.Key()], Off: off}
	// The app runs it already. A person who knows no commands reads only what is unusual.
	if judged := server.Review(); b.Commands || loud(judged) || len(judged.ToAgree()) > 0 {
		row.Server = server
	}
	if len(server.ToFill) > 0 {
		row.Sign = Sign{State: theme.StateKey, Text: live.NeedsWord(slices.ContainsFunc(server.ToFill, secret.Key))}
	}
	apps := []string{server.App}
	for _, other := range server.Same {
		if !slices.Contains(apps, other.App) {
			apps = append(apps, other.App)
		}
	}
	row.App = kit.SayList(apps)
	if lost := server.Lost(); !lost.IsZero() {
		row.Lines = append(row.Lines, Line{Text: kit.Say(lost), State: theme.StateNotice,
			Button: Button{Text: lang.L("Pass on"), Action: ActionPassOn, With: server.Key(), Off: off}})
	}
	rest := *server
	rest.ToFill, rest.Secrets = nil, nil // the sign and the page say so
	for _, line := range clients.ServerLines(&rest, b.Keychain) {
		row.Lines = append(row.Lines, Line{Text: line.Text, State: line.State})
	}
	return row
}

// loud reports whether a server does something that a person should read before it is brought in.
func loud(judged *review.Review) bool {
	return slices.ContainsFunc(judged.Warnings, func(w review.Warning) bool { return w.Loud })
}

// notes returns what else the user should know about a plan: its notes, and the entries that it leaves alone.
func notes(plan imports.Plan) []string {
	list := kit.Words().Texts(plan.Notes)
	_, entries := plan.Unread()
	for _, skipped := range entries {
		text := lang.L("Not brought in")
		if skipped.Name != "" {
			text = lang.L("Not brought in: {{.What}}", map[string]any{"What": kit.Line(skipped.Name)})
		}
		if skipped.App != "" {
			text += " (" + kit.Line(skipped.App) + ")"
		}
		list = append(list, kit.Together(text, kit.Say(skipped.Reason)))
	}
	return list
}

// unreadable returns a row for each file that could not be read, so that nobody thinks that the file has no servers.
func unreadable(plan imports.Plan) []Row {
	var rows []Row
	files, _ := plan.Unread()
	for _, skipped := range files {
		rows = append(rows, Row{
			Key: "file " + skipped.File, Name: kit.Line(skipped.App),
			Sign: Sign{State: theme.StateWrong, Text: lang.L("Not checked")}, Runs: kit.Line(skipped.File),
			Lines: []Line{
				{Text: kit.Line(kit.Say(skipped.Reason)), State: theme.StateWrong},
				{Text: lang.L("{{.File}} was not changed. Fix this, then try again.", map[string]any{"File": kit.Line(skipped.File)})},
			},
		})
	}
	return rows
}

// viewBrought says that the servers were brought in, for users who come back to this step.
func (p *page) viewBrought() View {
	b := &p.Bring
	return View{
		Mark: MarkGood, Title: lang.N("{{.Count}} servers are in “{{.Toolbox}}” now.", len(b.Brought.Servers),
			map[string]any{"Count": len(b.Brought.Servers), "Toolbox": kit.Line(b.Plan.Toolbox)}),
		Others: []Button{{Text: lang.L("Look again"), Action: ActionChoose}},
		Main:   Button{Text: lang.L("Continue"), Action: ActionNext},
	}
}

func appKey(id string) string { return "app " + id }
