package add

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// handPage is the form to enter a server by hand.
type handPage struct {
	dialog  *Dialog
	page    *kit.Page
	kind    *kit.Choice
	name    *kit.Input
	command *kit.Input
	args    *kit.Input
	env     *kit.Input
	url     *kit.Input
	headers *kit.Input
	folder  *kit.Input
	program fyne.CanvasObject
	remote  fyne.CanvasObject
}

func newHandPage(d *Dialog) *handPage {
	p := &handPage{dialog: d}
	changed := func(string) { d.chooser.update() }
	p.kind = kit.NewChoice(lang.L("A program on this computer"), lang.L("A web address"))
	p.kind.OnChosen = func(int) { p.show() }
	p.name = d.input("", "", changed)
	p.command = d.input("npx", "", changed)
	p.args = kit.NewTextArea(3, true)
	p.args.OnChanged = changed
	p.env = kit.NewTextArea(2, true)
	p.env.OnChanged = changed
	p.folder = d.input("", "", changed)
	p.url = d.input("https://", "", changed)
	p.headers = kit.NewTextArea(2, true)
	p.headers.OnChanged = changed
	for _, area := range []*kit.Input{p.args, p.env, p.headers} {
		area.PassesWheel = true
		area.OnShortcut = kit.OnKeys(func() { d.chooser.next() }, fyne.KeyReturn, fyne.KeyEnter)
	}
	p.program = kit.Column(kit.GapWide,
		labelled(lang.L("Command"), "", p.command),
		labelled(lang.L("Arguments"), lang.L("One per line"), p.args),
		labelled(lang.L("Variables"), lang.L("One per line: NAME=value"), p.env),
		labelled(lang.L("Folder to start in"), "", d.withChooser(p.folder, kindFolder)),
	)
	p.remote = kit.Column(kit.GapWide,
		labelled(lang.L("Address"), "", p.url),
		labelled(lang.L("Headers"), lang.L("One per line: Name: value"), p.headers),
	)
	p.page = kit.NewPage(kit.Inset(kit.Column(kit.GapWide,
		labelled(lang.L("Name"), "", p.name),
		p.kind,
		p.program, p.remote,
	), kit.GapBlock, kit.GapEdge))
	p.show()
	return p
}

// labelled returns a control with a label and perhaps an explanation above it.
func labelled(label, hint string, control fyne.CanvasObject) fyne.CanvasObject {
	head := fyne.CanvasObject(kit.NewText(label, kit.TextStyle{Bold: true, Size: theme.SizeSmall}))
	if hint != "" {
		head = kit.Row(kit.Gap, kit.NewText(label, kit.TextStyle{Bold: true, Size: theme.SizeSmall, Shrinks: true}),
			kit.NewText(hint, kit.Small()))
	}
	return kit.Column(kit.GapTight, head, control)
}

func (p *handPage) remoteKind() bool { return p.kind.Chosen() == 1 }

func (p *handPage) show() {
	kit.SetVisible(p.program, !p.remoteKind())
	kit.SetVisible(p.remote, p.remoteKind())
	p.page.Arrange()
	p.page.Refresh()
	p.dialog.pageChanged()
}

func (p *handPage) object() fyne.CanvasObject { return p.page }
func (p *handPage) focus()                    { p.dialog.focus(p.name) }

func (p *handPage) typed() bool {
	return p.name.Text+p.command.Text+p.args.Text+p.env.Text+p.url.Text+p.headers.Text+p.folder.Text != ""
}

func (p *handPage) ready() (func(), string) {
	switch {
	case p.remoteKind() && strings.TrimSpace(p.url.Text) == "":
		return nil, live.ToFill([]string{lang.L("Address")})
	case !p.remoteKind() && strings.TrimSpace(p.command.Text) == "":
		return nil, live.ToFill([]string{lang.L("Command")})
	}
	return p.next, ""
}

func (p *handPage) next() {
	p.dialog.take([]*candidate{p.candidate()}, nil)
}

// candidate returns the candidate for the values of the page. If the field for the command contains a whole command
// line, it is split.
func (p *handPage) candidate() *candidate {
	server := config.Server{}
	if p.remoteKind() {
		server.Transport, server.URL = config.TransportHTTP, strings.TrimSpace(p.url.Text)
		if strings.HasSuffix(strings.TrimRight(server.URL, "/"), "/sse") {
			server.Transport = config.TransportSSE
		}
		server.Headers = pairs(p.headers.Text, ":")
	} else {
		server.Transport, server.Command = config.TransportStdio, strings.TrimSpace(p.command.Text)
		server.Cwd = strings.TrimSpace(p.folder.Text)
		for line := range strings.Lines(p.args.Text) {
			if line = strings.TrimSpace(line); line != "" {
				server.Args = append(server.Args, line)
			}
		}
		server.Env = pairs(p.env.Text, "=")
	}
	entry := foreign.Inspect(server)
	c := fromText(foreign.Found{Entries: []foreign.Entry{entry}})[0]
	if name := strings.TrimSpace(p.name.Text); name != "" {
		c.name = name
	}
	return c
}

// pairs reads names and values, one pair per line.
func pairs(text, separator string) []config.Variable {
	var list []config.Variable
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), separator)
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, config.Variable{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return list
}
