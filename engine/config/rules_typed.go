package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var typedReference = Rule{Code: "typed-reference", Severity: SeverityWarning,
	About: "A variable is written as a shell, Windows or another program writes it: `$NAME`, `%NAME%`, `{env:NAME}`, " +
		"or `~` for the home folder; " +
		"or the value is to come from a file or a command: `{file:PATH}`, `$(COMMAND)`. " +
		"No shell reads this file, so a server gets the text as it is. Code, as after `sh -c`, is left alone: there the " +
		"shell replaces them. " +
		"In a text that is meant as it is, the first sign is written `${$}`, `${%}`, `${{}` or `${~}`: `${$}NAME` is the " +
		"text `$NAME`. " +
		"A name in small letters, `$name`, may well be meant as it is, so `--fix` changes it only where the entry's own " +
		"`env` has that name, or after `Bearer`. So it is with a name like `$PASS1`, in capitals without `_`, in a " +
		"variable for a secret.",
	Entry: `"command": "node", "args": ["$HOME/server.js"]`,
	server: func(d *diagnoser, r Rule, e *entry) {
		arguments, _ := launcher.Read(e.Command, e.Args)
		for _, m := range e.file.members {
			f := fieldNamed(serverFields, m.key)
			switch {
			case f == nil || m.repeated || !f.Kind.expands():
			case f.Name == "command" || f.Name == "cwd":
				sayTyped(d, r, e, m.value, m.at, typedForms{dollar: true, percent: true, home: true})
			case f.Name == "url":
				sayTyped(d, r, e, m.value, m.at, typedForms{dollar: true, address: true})
			case f.Name == "args" && len(m.value.Children) == len(arguments):
				places := m.at.elements(len(arguments))
				for i, a := range arguments {
					sayTyped(d, r, e, m.value.Children[i], &places[i], formsOf(a, e.Args[i]))
				}
			case f.Name == "env" || f.Name == "headers":
				for _, v := range *f.of(e.Server).(*[]Variable) {
					sayTyped(d, r, e, m.value.Member(v.Name), m.at.member(v.Name),
						typedForms{dollar: true, percent: true, home: f.Name == "env", secret: secret.Key(v.Name)})
				}
			}
		}
	}}

// typedForms says which references people may have meant in a text.
type typedForms struct {
	dollar, percent, home bool

	// address says that the text is one, in which $name is a parameter.
	address bool

	// secret says that the text may be a password, which may contain anything. Then the whole of it must be
	// references.
	secret bool
}

// formsOf returns the references that may be meant in an argument: those that no program replaces.
func formsOf(a launcher.Argument, arg string) typedForms {
	if a.Role == launcher.Joined || a.Role == launcher.Code &&
		(a.Certain() || strings.ContainsAny(arg, " \t\r\n;|&()`")) {
		return typedForms{}
	}
	if a.Role == launcher.Code { // the value of -c or -p of an unknown program
		return typedForms{dollar: true, percent: true, home: true}
	}
	dollar := a.Expands&launcher.Dollar == 0
	return typedForms{dollar: dollar, percent: a.Expands&launcher.Percent == 0, home: dollar}
}

// sayTyped reports the references of others in a string.
func sayTyped(d *diagnoser, r Rule, e *entry, in *node, at *docPath, forms typedForms) {
	if in == nil || in.Kind != '"' {
		return
	}
	text := in.Str()
	found := typedIn(text, forms)
	if forms.secret && len(found) > 0 && found[0].ours != "" && !secret.Reference(typedFixed(text, found)) {
		return
	}
	places := newOffsets(in.Raw(), in.Start)
	for _, t := range found {
		from := places.source(t.start)
		var message, hint words.Text
		if d.lists(r.Severity) {
			message, hint = t.said()
		}
		problem := d.say(r, from, places.source(t.end), at, message, hint)
		if problem == nil {
			continue
		}
		if own := e.has(t.name); t.name == "" || own || afterScheme.MatchString(text[:t.start]) {
			d.offer(problem, fixWrite(t.ours), placed(t.changes, in.Raw(), in.Start)...)
		}
	}
}

// said says that a reference is not one of ours, and what to write.
func (t *typedText) said() (message, hint words.Text) {
	message = words.New("config.typed_reference", "Form", t.form)
	if t.form == "~" {
		message = words.New("config.typed_home")
	}
	if t.ours == "" {
		return message, words.New("config.typed_file.hint", "Literal", t.literal())
	}
	return message, words.New("config.typed_reference.hint", "Text", t.ours, "Literal", t.literal())
}

// afterScheme matches what stands before a token in a header.
var afterScheme = lazyregexp.New(`(?i)(?:bearer|basic|token)\s+$`)

// has reports whether the entry's own env has a variable.
func (e *entry) has(name string) bool {
	_, ok := e.Variable(name)
	return ok
}

// typedText is a reference of others in a text.
type typedText struct {
	start, end int
	form, ours string   // the form, not the name: that may be a part of a password; ours is "" if we have none
	name       string   // of what is a variable only if something else says so
	changes    []Change // of the text
}

// literal returns the form as it is written where it is meant as it is.
func (t *typedText) literal() string { return "${" + t.form[:1] + "}" + t.form[1:] }

var (
	// dollarTyped matches $NAME and PowerShell's $env:NAME after what can come before a reference.
	dollarTyped = lazyregexp.New(`(?:^|[\s:=,;}"'/\\@])(\$(?:(?i:env):([A-Za-z_][A-Za-z0-9_]*)|[A-Z][A-Z0-9_]+\b))`)
	// bracesTyped matches opencode's {env:NAME}.
	bracesTyped = lazyregexp.New(`(?:^|[^$])(\{env:[A-Za-z_][A-Za-z0-9_]*\})`)
	// smallTyped matches $name and $Name at the end of a text or before a path.
	smallTyped = lazyregexp.New(`(?:^|[\s=:])\$([A-Za-z_][A-Za-z0-9_]*)(?:$|[/\\])`)
	// filledTyped matches opencode's {file:PATH}, and a command that a shell would run for its output.
	filledTyped = lazyregexp.New(`(?:^|[\s:=,;"'/\\@])(\{file:[^{}]{1,300}\}|\$\([^()\n]{1,300}\))`)
	// percentTyped matches what may be a variable of Windows.
	percentTyped = lazyregexp.New(`%([A-Za-z_][A-Za-z0-9_]*(?:\(x86\))?)%`)
	// percentEncoded matches a character in the encoding of addresses.
	percentEncoded = lazyregexp.New(`://|%(?:[0-9][0-9A-Fa-f]|[A-Fa-f][0-9])`)
	// homeTyped matches ~ where a shell would take it for the home folder, also after a flag or in a list of
	// folders.
	homeTyped = lazyregexp.New(`(?:^|[=:])(~)(?:$|[/\\])`)
)

// windowsVariables are variables of Windows, in capital letters.
var windowsVariables = []string{"ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMPUTERNAME", "HOME",
	"HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "ONEDRIVE", "PATH",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PUBLIC", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP",
	"USERDOMAIN", "USERNAME", "USERPROFILE", "WINDIR"}

// WindowsVariable reports whether %NAME% in a text is certainly a variable of Windows, and no part of an
// address such as %C3%A4 or of a format such as %Y-%m.
func WindowsVariable(text, name string) bool {
	switch {
	case slices.Contains(windowsVariables, strings.ToUpper(name)):
		return true
	case percentEncoded.MatchString(text) || len(name) < 3:
		return false
	}
	return strings.ToUpper(name) == name || strings.Contains(name, "_")
}

// typedIn returns the references of others in a text, in their order.
func typedIn(text string, forms typedForms) []typedText {
	var found []typedText
	add := func(start, end int, form, ours string, changes ...Change) {
		if !slices.ContainsFunc(found, func(t typedText) bool { return start < t.end && t.start < end }) {
			found = append(found, typedText{start: start, end: end, form: form, ours: ours, changes: changes})
		}
	}
	if (forms.dollar || forms.percent) && strings.Contains(text, "{env:") {
		for _, m := range bracesTyped.FindAllStringSubmatchIndex(text, maxTyped) {
			add(m[2], m[3], "{env:NAME}", "${NAME}", put(m[2], m[2]+len("{env:"), "${"))
		}
	}
	if forms.dollar && strings.Contains(text, "$") {
		for at, n := 0, 0; n < maxTyped; n++ {
			m := dollarTyped.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			start, end := at+m[2], at+m[3]
			form, after := "$NAME", start+1
			if m[4] >= 0 {
				form, after = "$env:NAME", at+m[4]
			}
			if end == len(text) || text[end] != '(' {
				count := len(found)
				add(start, end, form, "${NAME}", put(start, after, "${"), put(end, end, "}"))
				if name := text[after:end]; len(found) > count && forms.secret && form == "$NAME" &&
					!strings.Contains(name, "_") && !secret.Key(name) {
					found[count].name = name // a password may begin so
				}
			}
			at = end
		}
	}
	var m []int
	if forms.dollar && !forms.address && strings.Contains(text, "$") { // other forms come first
		m = smallTyped.FindStringSubmatchIndex(text)
	}
	if m != nil {
		if name := text[m[2]:m[3]]; !forms.secret || strings.Contains(name, "_") || secret.Key(name) {
			count := len(found)
			add(m[2]-1, m[3], "$name", "${name}", put(m[2]-1, m[2], "${"), put(m[3], m[3], "}"))
			if len(found) > count {
				found[count].name = name
			}
		}
	}
	if (forms.dollar || forms.percent) && (strings.Contains(text, "{file:") || strings.Contains(text, "$(")) {
		for _, m := range filledTyped.FindAllStringSubmatchIndex(text, maxTyped) {
			form := "{file:PATH}"
			if text[m[2]] == '$' {
				form = "$(COMMAND)"
			}
			add(m[2], m[3], form, "")
		}
	}
	if forms.percent && strings.Contains(text, "%") {
		for at, n := 0, 0; n < maxTyped; n++ {
			m := percentTyped.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			start, end := at+m[0], at+m[1]
			if !WindowsVariable(text, text[start+1:end-1]) {
				at = end - 1 // the second sign may begin one
				continue
			}
			add(start, end, "%NAME%", "${NAME}", put(start, start+1, "${"), put(end-1, end, "}"))
			at = end
		}
	}
	if forms.home && strings.Contains(text, "~") {
		for _, m := range homeTyped.FindAllStringSubmatchIndex(text, maxTyped) {
			add(m[2], m[3], "~", "${HOME}", put(m[2], m[3], "${HOME}"))
		}
	}
	slices.SortFunc(found, func(a, b typedText) int { return a.start - b.start })
	return found
}

// maxTyped is how many references of one form are reported in one text.
const maxTyped = 100

// typedFixed returns a text with references written in our form.
func typedFixed(text string, found []typedText) string {
	var changes []Change
	for _, t := range found {
		changes = append(changes, t.changes...)
	}
	fixed, err := ApplyChanges([]byte(text), changes)
	if err != nil {
		return text
	}
	return string(fixed)
}

// Literal returns a text in the form in which nothing in it is a reference: that of code which its own shell
// is to read.
func Literal(text string) string { return strings.ReplaceAll(text, "${", "$${") }
