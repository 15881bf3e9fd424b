package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// style is a row of the table of styles: how some products write a reference. Ours are ${NAME},
// ${NAME:-default} and ${keyring:NAME}.
type style struct {
	pattern *lazyregexp.Regexp

	// write returns the reference as we write it. groups are those of the pattern that matched something.
	write func(groups []string) string

	note words.Code // says that references were written in another way

	// read is how launchers and shells write the same. What they read is left as it is. It is 0 for a form that
	// only products have.
	read launcher.Style

	// certain reports whether what was found at a place in a value is a reference beyond doubt. If there is none
	// in the text, nothing is translated; if there is one, all of this style are. It is nil if the pattern
	// leaves no doubt.
	certain func(value string, at []int) bool

	// apps have this style for certain, also in a text without a certain reference.
	apps []string

	// reads reports whether what was found at a place in a value can be a reference at all. It may be nil.
	reads func(value string, at []int) bool
}

func inBraces(groups []string) string { return "${" + groups[0] + "}" }

// styles is the table. Order matters: each row sees what the rows before it have written.
var styles = []style{
	// VS Code, Cursor, Windsurf, Roo Code; opencode; Continue, GitHub; PowerShell.
	{pattern: lazyregexp.New(`\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}`), write: inBraces, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$\{env:([A-Za-z_][A-Za-z0-9_]*:(?:[^{}"\\$]|\$\{[^{}"\\$]+\})*)\}`), write: withDefault,
		note: "foreign.references"},
	{pattern: lazyregexp.New(`\{env:([A-Za-z_][A-Za-z0-9_]*)\}`), write: inBraces, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$\{\{\s*(?:env|secrets|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`), write: inBraces,
		note: "foreign.references"},
	{pattern: lazyregexp.New(`\$env:([A-Za-z_][A-Za-z0-9_]*)`), write: inBraces, note: "foreign.references",
		read: launcher.Dollar},

	// Goose allows blanks around the name.
	{pattern: lazyregexp.New(`\$\{[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*\}`), write: inBraces,
		note: "foreign.references", read: launcher.Dollar},

	{pattern: lazyregexp.New(`\$\{(userHome)\}`), write: func([]string) string {
		return "${HOME}"
	}, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$\{(pathSeparator|/)\}`), write: func([]string) string {
		return "/"
	}, note: "foreign.references"},

	// A default as several products write it, ${NAME:default}, and as a shell does, ${NAME-default}.
	{pattern: lazyregexp.New(`\$\{([A-Z][A-Z0-9_]*(?:-(?:[^{}"\\$]|\$\{[^{}"\\$]+\})*|:[^-?+=:}"\\$][^}"\\$]{0,200}))\}`),
		write: withDefault,
		note:  "foreign.references", read: launcher.Dollar, reads: func(value string, at []int) bool {
			return !substring.MatchString(value[at[2]:at[3]])
		}},

	// A variable that must be set, as every one must here.
	{pattern: lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*):?\?[^{}"\\$]{0,200}\}`), write: inBraces,
		note: "foreign.references", read: launcher.Dollar},

	// A page with code.
	{pattern: lazyregexp.New(`^process\.env\.([A-Za-z_][A-Za-z0-9_]*)!?$`), write: inBraces, note: "foreign.references"},

	// A secret of Copilot's coding agent.
	{pattern: lazyregexp.New(`^(COPILOT_MCP_[A-Z0-9_]+)$`), write: inBraces, note: "foreign.references"},

	// What only the product itself can put in: ${{ vars.X }} of GitHub, ${command:pick.one} of VS Code, {file:./key} of
	// opencode, {{LIBRECHAT_USER_ID}}.
	{pattern: lazyregexp.New(`\$\{\{\s*([^{}\s](?:[^{}\n]{0,100}[^{}\s])?)\s*\}\}`), write: onlyApp},
	{pattern: lazyregexp.New(`\$\{([A-Za-z]+:[^-}"\\$][^}"\\$]{0,100})\}`), write: onlyApp},
	{pattern: lazyregexp.New(`\{(file:[^{}"\\\n]{1,200})\}`), write: onlyApp},
	{pattern: lazyregexp.New(`\{\{(LIBRECHAT_[A-Z_]{1,60})\}\}`), write: onlyApp},
	{pattern: lazyregexp.New(`\$\{(CLAUDE_PLUGIN_DATA)\}`), write: onlyApp},

	// Gemini CLI, Qwen Code, Copilot, Goose, and whatever starts servers in a shell; Windows.
	{pattern: lazyregexp.New(`\$([A-Za-z_][A-Za-z0-9_]*)`), write: inBraces, note: "foreign.references",
		read: launcher.Dollar,
		apps: []string{"Gemini CLI", "Qwen Code"}, reads: maybeDollar,
		certain: func(value string, at []int) bool { return certainDollar.MatchString(value[max(at[0]-1, 0):at[1]]) }},
	{pattern: lazyregexp.New(`%([A-Za-z_][A-Za-z0-9_()]+)%`), write: inBraces, note: "foreign.percent",
		read:    launcher.Percent,
		certain: func(value string, at []int) bool { return config.WindowsVariable(value, value[at[2]:at[3]]) }},
}

// otherReference is the style of anything else in a text of others that looks like a reference and is none of ours.
var otherReference = style{pattern: lazyregexp.New(`\$\{([^{}$\n]{1,100})\}`), read: launcher.Dollar,
	write: func(groups []string) string {
		if name := groups[0]; shellName.MatchString(name) {
			return onlyApp(groups)
		}
		return config.Literal("${" + groups[0] + "}") // no product has ${1} or ${#X}, so the server gets it as it is
	},
	reads: func(value string, at []int) bool {
		name := value[at[2]:at[3]]
		return name != "~" && name != "%" && len(config.References(value[at[0]:at[1]])) == 0
	}}

// withDefault returns a reference with a default.
func withDefault(groups []string) string {
	end := strings.IndexAny(groups[0], ":-")
	return "${" + groups[0][:end] + ":-" + strings.TrimPrefix(groups[0][end+1:], "-") + "}"
}

// asItIs makes a "${" that begins no reference reach the server as it is, as it does elsewhere.
func asItIs(s *config.Server) {
	Each(s, func(_ Part, value *string) {
		for range 2 { // the first leaves out those that stand side by side
			*value = nameless.ReplaceAllStringFunc(*value, config.Literal)
		}
		at := strings.LastIndex(*value, "${")
		if at >= 0 && !strings.Contains((*value)[at:], "}") && !strings.HasSuffix((*value)[:at], "$") {
			*value = (*value)[:at] + config.Literal((*value)[at:])
		}
	})
}

// nameless matches what names nothing that a product could put in.
var nameless = lazyregexp.New(`(?:^|[^$])\$\{\s*\}`)

// substring matches a part of a variable, as a shell has it: ${NAME:2:3}.
var substring = lazyregexp.New(`^\w+:\d+:-?\d+$`)

// certainDollar matches $NAME after what can come before a reference.
var certainDollar = lazyregexp.New(`(?:^|[\s:=,"'/@(])\$[A-Z][A-Z0-9_]{2,}$`)

// maybeDollar reports whether $NAME or $name is a reference where some are: with small letters only as a whole word,
// and in no address, where it may be a parameter.
func maybeDollar(value string, at []int) bool {
	if name := value[at[2]:at[3]]; name == strings.ToUpper(name) && name[0] != '_' {
		return true
	}
	before, after := at[0] == 0 || strings.IndexByte(" \t=:", value[at[0]-1]) >= 0,
		at[1] == len(value) || strings.IndexByte(`/\ `, value[at[1]]) >= 0
	return before && after && !strings.Contains(value, "://")
}

// onlyApp returns a blank for what only the product itself can put in.
func onlyApp(groups []string) string { return "<" + groups[0] + ">" }

// Forms of references that are asked for, see blanks.go.
var (
	inputReference  = lazyregexp.New(`\$\{input:([^}]+)\}`)
	folderReference = lazyregexp.New(
		`\$\{(?:workspaceFolder(?::[^}]*)?|workspaceRoot|workspaceFolderBasename|PWD|CWD|cwd|CLAUDE_PROJECT_DIR(?::-[^}]*)?|CLAUDE_PLUGIN_ROOT|extensionPath|__dirname)\}|\$\(pwd\)|` + "`pwd`")
)

// InFolder returns the value of a reference to the folder of the project that an entry is for. ok is false for another
// reference.
func InFolder(reference, folder string) (value string, ok bool) {
	if folderReference.FindString(reference) != reference || reference == "" {
		return "", false
	}
	if strings.Contains(reference, "Basename") {
		folder = folder[strings.LastIndexAny(folder, `/\`)+1:]
	}
	return strings.ReplaceAll(folder, "${", "$${"), true
}

// ours matches references that another row must leave alone, since package foreign asks for them or our
// configuration has them.
var ours = lazyregexp.New(`^\$\{(?:env|input|keyring|workspaceFolder):`)

// encoded matches an escape of an address, such as %C3.
var encoded = lazyregexp.New(`^%[0-9A-Fa-f]{2}`)

// readers returns, for each argument of an entry, which references the programs that get it replace themselves.
// In code, these are all.
func (e *Entry) readers() []launcher.Style {
	arguments, _ := launcher.Read(e.Server.Command, e.Server.Args)
	read := make([]launcher.Style, len(arguments))
	for i, a := range arguments {
		read[i] = a.Expands
		if a.Role == launcher.Code && (a.Certain() || strings.ContainsAny(e.Server.Args[i], " \t\r\n;|&()`")) {
			read[i] = launcher.Dollar | launcher.Percent
		}
	}
	return read
}

// readBy returns the references that programs replace themselves in a value.
func readBy(readers []launcher.Style, place Part) launcher.Style {
	if place.Field == "args" {
		return readers[place.Index]
	}
	return 0
}

// translate rewrites the references of an entry into ours. what are the styles that the text has.
func (e *Entry) translate(what []style) {
	readers := e.readers()
	Each(&e.Server, func(place Part, value *string) {
		read := readBy(readers, place)
		text := *value
		for _, s := range what {
			if read&s.read != 0 {
				continue
			}
			before := text
			text = s.rewrite(text, func(asked string) { e.Asked = append(e.Asked, asked) })
			if text != before && s.note != "" {
				e.note(s.note.Text())
			}
		}
		if place.Field != "headers" && read&launcher.Dollar == 0 &&
			(strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`) || text == "~") {
			text = "${HOME}" + text[1:]
			e.note(words.New("foreign.tilde"))
		}
		*value = text
	})
}

// rewrite returns a text with its references of this style as we write them.
func (s *style) rewrite(text string, ask func(string)) string {
	var b strings.Builder
	end := 0
	for _, at := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
		found := text[at[0]:at[1]]
		if at[0] < end || ours.MatchString(found) && s.note == "" || s.percentEncoded(text, at) || s.reads != nil &&
			!s.reads(text, at) || strings.HasPrefix(found, "$") && at[0] > 0 && text[at[0]-1] == '$' {
			continue
		}
		with := s.write([]string{text[at[2]:at[3]]})
		if strings.HasPrefix(with, "<") {
			ask(with)
		}
		b.WriteString(text[end:at[0]] + with)
		end = at[1]
	}
	return b.String() + text[end:]
}

// percentEncoded reports whether what looks like %NAME% is a part of an address in which characters are
// escaped.
func (s *style) percentEncoded(text string, at []int) bool {
	if text[at[0]] != '%' || !encoded.MatchString(text[at[0]:]) {
		return false
	}
	name := text[at[2]:at[3]]
	return len(name) == 2 || strings.ToUpper(name) != name || encoded.MatchString(text[at[1]-1:])
}

// stylesOf returns the styles that the entries of a text have. app is the product that the text is from, or "".
func stylesOf(entries []Entry, app string) []style {
	var has []style
	for _, s := range styles {
		if s.certain == nil || slices.Contains(s.apps, app) || slices.ContainsFunc(entries, func(e Entry) bool {
			return e.certainly(s)
		}) {
			has = append(has, s)
		}
	}
	return has
}

// certainly reports whether an entry has a reference of a style that is one beyond doubt.
func (e *Entry) certainly(s style) (found bool) {
	readers := e.readers()
	Each(&e.Server, func(place Part, value *string) {
		if found || readBy(readers, place)&s.read != 0 {
			return
		}
		for _, at := range s.pattern.FindAllStringSubmatchIndex(*value, -1) {
			own := false
			if s.reads != nil && s.reads(*value, at) {
				_, own = e.Server.Variable((*value)[at[2]:at[3]])
			}
			found = found || (own || s.certain(*value, at)) && !s.percentEncoded(*value, at)
		}
	})
	return found
}

// ofProduct matches the beginning of a reference that no shell means, but a product does.
var ofProduct = lazyregexp.New(
	`^\$\{(?:env:|input:|keyring:|userHome\}|workspaceFolder|workspaceRoot|\{\s*(?:env|secrets|inputs)\.)`)

// escape makes what other programs read in the arguments of an entry reach them as it is, such as code: what our
// configuration would expand is escaped. References that only products have stay.
func (e *Entry) escape() {
	for i, read := range e.readers() {
		if read&launcher.Dollar == 0 {
			continue
		}
		var b strings.Builder
		rest := e.Server.Args[i]
		for {
			at := strings.Index(rest, "${")
			if at < 0 {
				break
			}
			b.WriteString(rest[:at])
			if !ofProduct.MatchString(rest[at:]) {
				b.WriteString("$")
			}
			b.WriteString("${")
			rest = rest[at+2:]
		}
		e.Server.Args[i] = b.String() + rest
	}
}
