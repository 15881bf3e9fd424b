package add

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// preview says what adding a candidate does, for the user to look at before anything is started.
type preview struct {
	heading  string // that it runs on this computer, or what it connects to
	command  string // the exact command line or the address, secrets masked
	lines    []string
	warnings []warning
	blocked  string // why it cannot be added, in words; empty when it can
}

// warning is something worth knowing before a server is started.
type warning struct {
	state theme.State
	text  string

	// At most one of these is offered.
	name string          // another name for the server
	get  catalogue.Needs // what is not installed
}

// surroundings is what a preview depends on besides the candidate itself.
type surroundings struct {
	toolbox string
	taken   []string         // names in the toolbox and of the other candidates
	found   map[string]*bool // programs that were looked for; nil: not known yet
}

// newPreview makes the preview of a candidate.
func newPreview(c *candidate, around surroundings) preview {
	server, _ := c.server(around.toolbox)
	p := preview{heading: lang.L("This will run on your computer:")}
	if server.Transport != config.TransportStdio {
		p.heading = lang.L("This will be connected to:")
	}
	p.command = maskFor(c, paste.CommandLine(server))
	p.lines = settings(server)
	p.name(c, around)
	p.fields(c)
	p.program(server, c, around)
	p.address(server, c)
	if c.extension != nil {
		p.fromFile(c.extension)
	}
	for _, d := range paste.Diagnose(server) {
		if d.Severity == config.SeverityError && c.complete() {
			text := kit.Sentence(kit.Say(d.Message))
			p.warnings = append(p.warnings, warning{state: theme.StateWrong, text: text})
			p.block(text)
		}
	}
	return p
}

// block remembers the first reason why the candidate cannot be added.
func (p *preview) block(why string) {
	if p.blocked == "" {
		p.blocked = why
	}
}

// maskFor hides secrets in a text that is shown: those that look so, and those that were typed as such.
func maskFor(c *candidate, text string) string {
	for _, f := range c.fields {
		if f.kind == kindSecret && len(strings.TrimSpace(f.value)) > 3 && !strings.Contains(f.value, "${") {
			text = strings.ReplaceAll(text, strings.TrimSpace(f.value), secret.Masked)
		}
	}
	return secret.Mask(text)
}

// settings says in words what else the entry has: variables and headers by their names, the folder.
func settings(server *config.Server) []string {
	var lines []string
	describe := func(list []config.Variable) string {
		var names []string
		for _, v := range list {
			name := v.Name
			if strings.Contains(strings.ReplaceAll(v.Value, "$${", ""), "${keyring:") { // the doubled sign means itself
				name += " " + lang.L("(in the keychain)")
			}
			names = append(names, name)
		}
		return kit.SayList(names)
	}
	if len(server.Env) > 0 {
		lines = append(lines, lang.L("Variables: {{.Names}}", map[string]any{"Names": describe(server.Env)}))
	}
	if len(server.Headers) > 0 {
		lines = append(lines, lang.L("Headers: {{.Names}}", map[string]any{"Names": describe(server.Headers)}))
	}
	if server.Cwd != "" {
		lines = append(lines, lang.L("Starts in: {{.Folder}}", map[string]any{"Folder": server.Cwd}))
	}
	if server.ToolFilters != nil {
		lines = append(lines, lang.L("Only these tools: {{.Names}}", map[string]any{"Names": kit.SayList(server.ToolFilters)}))
	}
	if server.Disabled {
		lines = append(lines, lang.L("It is switched off, so it will not be tried."))
	}
	return lines
}

// name checks the server's name.
func (p *preview) name(c *candidate, around surroundings) {
	if err := edit.CheckName("server", c.name); err != nil {
		text := lang.L("The name of the server must not begin or end with a space.")
		p.warnings = append(p.warnings, warning{state: theme.StateWrong, text: text})
		p.block(text)
		return
	}
	if slices.Contains(around.taken, c.name) {
		text := lang.L("There is a server called “{{.Name}}” in this toolbox already.", map[string]any{"Name": c.name})
		p.warnings = append(p.warnings, warning{state: theme.StateWrong, text: text, name: edit.CopyName(c.name, around.taken)})
		p.block(text)
	}
}

// fields says what still has to be filled in.
func (p *preview) fields(c *candidate) {
	var missing []string
	for _, f := range c.fields {
		switch {
		case f.missing():
			missing = append(missing, f.label)
		case f.problem() != "":
			p.block(f.problem())
		}
	}
	if len(missing) > 0 {
		p.block(lang.L("Still to fill in: {{.Names}}", map[string]any{"Names": kit.SayList(missing)}))
	}
}

// program says whether the program is there, and what starting it brings with it.
func (p *preview) program(server *config.Server, c *candidate, around surroundings) {
	if server.Transport != config.TransportStdio || server.Command == "" {
		return
	}
	if found := around.found[server.Command]; found != nil && !*found && !c.brings(server.Command) {
		w := warning{state: theme.StateNotice, get: catalogue.NeedsOf(server.Command)}
		if w.get != catalogue.NeedsNothing {
			w.text = lang.L("{{.Name}} is not on this computer yet: “{{.Command}}” was not found.", map[string]any{"Name": w.get.Name(), "Command": server.Command})
		} else {
			w.text = lang.L("“{{.Command}}” was not found on this computer.", map[string]any{"Command": server.Command})
		}
		p.warnings = append(p.warnings, w)
	}
	switch process.Name(server.Command) {
	case "npx", "uvx", "bunx", "pipx", "pnpx":
		p.note(lang.L("The first start downloads the server from the internet, and later ones may fetch a newer version."))
	case "docker", "podman":
		p.note(lang.L("The first start downloads the server's image from the internet."))
	case "sh", "bash", "zsh", "cmd", "powershell", "pwsh":
		p.warnings = append(p.warnings, warning{state: theme.StateNotice, text: lang.L("This runs a command in a shell. Read it carefully: it can do everything that you can.")})
	}
}

func (p *preview) note(text string) {
	p.warnings = append(p.warnings, warning{state: theme.StateIdle, text: text})
}

// address says what is worth knowing about a server on the web.
func (p *preview) address(server *config.Server, c *candidate) {
	if server.Transport == config.TransportStdio {
		return
	}
	parsed, err := url.Parse(server.URL)
	if err == nil && parsed.Scheme == "http" && !local(parsed.Hostname()) {
		p.warnings = append(p.warnings, warning{state: theme.StateNotice, text: lang.L("The connection is not encrypted: others on the way can read it. Use https:// if the server has it.")})
	}
	if c.from != nil && c.from.SignIn {
		p.note(lang.L("It asks you to sign in with your browser."))
	}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".local") || ip != nil && (ip.IsLoopback() || ip.IsPrivate())
}
