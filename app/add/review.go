package add

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	reviewing "github.com/workbench-mcp/workbench-desktop/app/review"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// preview is what the user sees before a candidate is added: what adding it does.
type preview struct {
	judged *review.Review
	agree  []review.Use // what the user must agree to
	// what the server also gets: what the user typed, what every program gets, and what an entry of the catalogue uses
	told     []review.Use
	lines    []string // texts about other settings of the entry
	warnings []warning
	missing  string // a text about the missing program, or empty
	blocked  string // a text that says why the candidate cannot be added, or empty
}

// warning is something that the user should know before a server is started.
type warning struct {
	state theme.State
	text  string

	// At most one of these is set.
	name string         // another name to offer for the server
	get  config.Product // the product that contains the missing program, such as Node.js for npx
}

// surroundings is what a preview depends on, apart from the candidate itself.
type surroundings struct {
	toolbox string
	taken   []string         // names in the toolbox and of the other candidates
	found   map[string]*bool // by command, whether the program was found; nil means not known yet
}

// newPreview returns the preview of a candidate.
func newPreview(c *candidate, around surroundings) preview {
	server, kept := c.server(around.toolbox)
	p := preview{judged: c.judge(server)}
	p.uses(c, kept)
	p.lines = settings(server)
	p.name(c, around)
	p.fields(c)
	p.program(server, c, around)
	if server.Transport != config.TransportStdio && c.from != nil && c.from.SignIn {
		p.warnings = append(p.warnings,
			warning{state: theme.StateIdle, text: lang.L("It wants you to sign in with your account.")})
	}
	if c.extension != nil {
		p.fromFile(c.extension)
	}
	for _, d := range foreign.Diagnose(server) {
		if d.Severity == config.SeverityError && c.complete() {
			text := kit.Sentence(kit.Say(d.Message))
			p.warnings = append(p.warnings, warning{state: theme.StateWrong, text: text})
			p.block(text)
		}
	}
	if reviewing.Open(p.agree, c.agreed) {
		p.block(lang.L("Agree to each secret and variable that it gets, or leave this server out"))
	}
	return p
}

// uses divides what the server gets into agree and told. The user must agree to the variables and secrets that the
// pasted text names, but not to those that the user typed, nor to secrets that adding the server puts into the
// keychain.
func (p *preview) uses(c *candidate, kept []secretEntry) {
	var foreign, typed []review.Use
	if c.pasted != nil {
		foreign = review.Of(&c.pasted.Server).Uses
		var values []string
		for _, f := range c.fields {
			if f.value != f.fallback {
				values = append(values, f.value)
			}
		}
		typed = review.Of(&config.Server{Transport: config.TransportStdio, Command: "x", Args: values}).Uses
	}
	for _, use := range p.judged.Uses {
		named := func(other review.Use) bool { return other.Name == use.Name && other.Keychain == use.Keychain }
		switch {
		case slices.ContainsFunc(foreign, named) && !use.Known():
			p.agree = append(p.agree, use)
		case use.Keychain && slices.ContainsFunc(kept, func(s secretEntry) bool {
			return s.name == use.Name
		}): // not shown: the field's check box already says it
		case c.pasted != nil && !use.Known() &&
			!slices.ContainsFunc(typed, named): // only the text and a suggested value together contain the name
			p.agree = append(p.agree, use)
		default:
			p.told = append(p.told, use)
		}
	}
}

// block records the first reason why the candidate cannot be added.
func (p *preview) block(why string) {
	if p.blocked == "" {
		p.blocked = why
	}
}

// settings returns texts about other settings of the entry.
func settings(server *config.Server) []string {
	var lines []string
	if server.ToolFilters != nil {
		lines = append(lines, lang.L("Only these tools: {{.Names}}",
			map[string]any{"Names": kit.SayList(server.ToolFilters)}))
	}
	if server.Disabled {
		lines = append(lines, lang.L("Switched off"))
	}
	return lines
}

// name checks the server's name.
func (p *preview) name(c *candidate, around surroundings) {
	if err := edit.CheckName("server", c.name); err != nil {
		text := kit.ErrorSentence(err)
		p.warnings = append(p.warnings, warning{state: theme.StateWrong, text: text})
		p.block(text)
		return
	}
	if slices.Contains(around.taken, c.name) {
		text := lang.L("There is a server called “{{.Name}}” in this toolbox already.", map[string]any{"Name": c.name})
		p.warnings = append(p.warnings,
			warning{state: theme.StateWrong, text: text, name: edit.CopyName(c.name, around.taken)})
		p.block(text)
	}
}

// fields checks the values of the fields.
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
		p.block(live.ToFill(missing))
	}
}

// program warns if the program is missing.
func (p *preview) program(server *config.Server, c *candidate, around surroundings) {
	if server.Transport != config.TransportStdio || server.Command == "" {
		return
	}
	if found := around.found[server.Command]; found != nil && !*found && !c.brings(server.Command) {
		w := warning{state: theme.StateNotice, get: config.ProductOf(server.Command)}
		if runtimes.For(server.Command) != "" {
			p.missing = lang.L("{{.Name}} is not on this computer yet.", map[string]any{"Name": w.get.Name})
			w.text = p.missing
		} else {
			w.text = lang.L("“{{.Command}}” was not found on this computer.",
				map[string]any{"Command": kit.Line(server.Command)})
			p.missing = w.text
		}
		p.warnings = append(p.warnings, w)
	}
}
