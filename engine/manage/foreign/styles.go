package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
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

	// shell is set if a shell or the server itself may mean something by it, too. It is then left as it is in
	// what they read.
	shell bool

	// certain matches a reference that is one beyond doubt. If there is none in the text, nothing is
	// translated; if there is one, all of this style are. It is nil if the pattern leaves no doubt.
	certain *lazyregexp.Regexp
}

func inBraces(groups []string) string { return "${" + groups[0] + "}" }

// styles is the table. Order matters: each row sees what the rows before it have written.
var styles = []style{
	// VS Code, Cursor, Windsurf, Roo Code; opencode; Continue, GitHub; PowerShell.
	{pattern: lazyregexp.New(`\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}`), write: inBraces, note: "foreign.references"},
	{pattern: lazyregexp.New(`\{env:([A-Za-z_][A-Za-z0-9_]*)\}`), write: inBraces, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$\{\{\s*(?:env|secrets|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`), write: inBraces, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$env:([A-Za-z_][A-Za-z0-9_]*)`), write: inBraces, note: "foreign.references", shell: true},

	{pattern: lazyregexp.New(`\$\{(userHome)\}`), write: func([]string) string { return "${HOME}" }, note: "foreign.references"},
	{pattern: lazyregexp.New(`\$\{(pathSeparator|/)\}`), write: func([]string) string { return "/" }, note: "foreign.references"},

	// What only the product itself can put in: ${command:pick.one} of VS Code, {file:./key} of opencode.
	{pattern: lazyregexp.New(`\$\{([A-Za-z]+:[^-}"\\$][^}"\\$]{0,100})\}`), write: onlyApp},
	{pattern: lazyregexp.New(`\{(file:[^{}"\\\n]{1,200})\}`), write: onlyApp},

	// Gemini CLI, Qwen Code, Copilot, Goose, and whatever starts servers in a shell; Windows.
	{pattern: lazyregexp.New(`\$([A-Z][A-Z0-9_]*)\b`), write: inBraces, note: "foreign.references", shell: true,
		certain: lazyregexp.New(`(?:^|[\s:=,"'/@(])\$[A-Z][A-Z0-9_]{2,}\b`)},
	{pattern: lazyregexp.New(`%([A-Za-z_][A-Za-z0-9_()]+)%`), write: inBraces, note: "foreign.percent", shell: true,
		certain: lazyregexp.New(`%(?:[A-Z][A-Z0-9_()]{2,}|(?i:appdata|localappdata|programdata|programfiles|userprofile|username|homepath|homedrive|computername|systemroot|systemdrive|windir|temp|tmp|path|public|onedrive))%`)},
}

// onlyApp returns a blank for what only the product itself can put in.
func onlyApp(groups []string) string { return "<" + groups[0] + ">" }

// Forms of references that are asked for, see blanks.go.
var (
	inputReference  = lazyregexp.New(`\$\{input:([^}]+)\}`)
	folderReference = lazyregexp.New(`\$\{(?:workspaceFolder(?::[^}]*)?|workspaceRoot|workspaceFolderBasename|PWD|CWD|cwd|CLAUDE_PROJECT_DIR(?::-[^}]*)?|__dirname)\}|\$\(pwd\)|` + "`pwd`")
)

// ours matches references that another row must leave alone, since package foreign asks for them or our
// configuration has them.
var ours = lazyregexp.New(`^\$\{(?:env|input|keyring|workspaceFolder):`)

// encoded matches an escape of an address, such as %C3.
var encoded = lazyregexp.New(`^%[0-9A-Fa-f]{2}`)

// translate rewrites the references of an entry into ours. what are the styles that the text has.
func (e *Entry) translate(what []style) {
	arguments, _ := secret.InCommand(e.Server.Command, e.Server.Args)
	Each(&e.Server, func(place Part, value *string) {
		code := place.Field == "args" && arguments[place.Index].Code
		text := *value
		for _, s := range what {
			if code && s.shell {
				continue
			}
			before := text
			text = s.rewrite(text, func(asked string) { e.Asked = append(e.Asked, asked) })
			if text != before && s.note != "" {
				e.note(s.note.Text())
			}
		}
		if place.Field != "headers" && !code && (strings.HasPrefix(text, "~/") || text == "~") {
			text = "${HOME}" + text[1:]
			e.note(words.New("foreign.tilde"))
		}
		*value = text
	})
}

// rewrite returns a text with its references of this style as we write them.
func (s *style) rewrite(text string, ask func(string)) string {
	if !strings.ContainsAny(text, "$%{") {
		return text
	}
	var b strings.Builder
	end := 0
	for _, at := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
		found := text[at[0]:at[1]]
		if at[0] < end || ours.MatchString(found) && s.note == "" || s.percentEncoded(text, at) || strings.HasPrefix(found, "$") && at[0] > 0 && text[at[0]-1] == '$' {
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

// stylesOf returns the styles that the entries of a text have.
func stylesOf(entries []Entry) []style {
	var has []style
	for _, s := range styles {
		if s.certain == nil || slices.ContainsFunc(entries, func(e Entry) bool { return e.certainly(s) }) {
			has = append(has, s)
		}
	}
	return has
}

// certainly reports whether an entry has a reference of a style that is one beyond doubt.
func (e *Entry) certainly(s style) (found bool) {
	arguments, _ := secret.InCommand(e.Server.Command, e.Server.Args)
	Each(&e.Server, func(place Part, value *string) {
		if found || place.Field == "args" && arguments[place.Index].Code {
			return
		}
		for _, at := range s.pattern.FindAllStringSubmatchIndex(*value, -1) {
			before := max(at[0]-1, 0)
			found = found || s.certain.MatchString((*value)[before:at[1]]) && !s.percentEncoded(*value, at)
		}
	})
	return found
}

// ofProduct matches the beginning of a reference that no shell means, but a product does.
var ofProduct = lazyregexp.New(`^\$\{(?:env:|input:|keyring:|userHome\}|workspaceFolder|workspaceRoot|\{\s*(?:env|secrets|inputs)\.)`)

// escape makes the code in the arguments of an entry reach the program that reads it as it is: what our
// configuration would expand is escaped. References of products in it stay.
func (e *Entry) escape() {
	arguments, _ := secret.InCommand(e.Server.Command, e.Server.Args)
	for i, a := range arguments {
		if !a.Code {
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
