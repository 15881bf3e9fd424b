// Package review judges the entry of a server before anything of it is started: the full text of what runs,
// the warnings, and what of the user's data the server gets. The window and the commands show this result and
// do not judge by themselves.
//
// An entry can come from anybody: a web page, another program's file, an agent. It is therefore shown in
// full, with invisible characters made visible, and only certain secrets are masked. See [secret.InCommand]
// for what is never treated as a secret.
package review

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Review is what people see of a server before they decide.
type Review struct {
	// Remote is set for a server on the web. Otherwise a program is started.
	Remote bool

	// Runs is the command with its arguments as one would type it, or the address.
	Runs Text

	// Settings are the other values of the entry, in the order of the file.
	Settings []Setting

	// Warnings are ordered: loud ones first.
	Warnings []Warning

	// Uses are the references to the user's data, each once.
	Uses []Use
}

// Setting is a variable, a header, or another value of an entry.
type Setting struct {
	Field string // of the entry: "env", "headers", "cwd" or "oauth"
	Name  Text   // of the variable, the header, or the member of "oauth"
	Value Text
}

// Warning is something that people should know about a server.
type Warning struct {
	Text words.Text
	Loud bool // it changes what other programs do, hides something, or runs code from the entry itself
}

// Of judges an entry. Each of secrets is masked wherever it is in a value; it is, for example, what somebody
// has typed into a password field. Secrets that are too short to recognize are not masked this way.
func Of(server *config.Server, secrets ...string) *Review {
	r := &Review{Remote: server.Transport != config.TransportStdio && server.Transport != ""}
	if r.Remote {
		r.Runs = text(server.URL, append(Secrets("url", "", server.URL), typed(server.URL, secrets)...))
	} else {
		r.Runs = commandLine(server, secrets)
	}
	add := func(field, name, value string) {
		r.Settings = append(r.Settings,
			Setting{field, Visible(name), text(value, append(Secrets(field, name, value), typed(value, secrets)...))})
	}
	for _, v := range server.Env {
		add("env", v.Name, v.Value)
	}
	if server.Cwd != "" {
		add("cwd", "", server.Cwd)
	}
	for _, v := range server.Headers {
		add("headers", v.Name, v.Value)
	}
	if o := server.OAuth; o != nil {
		for _, member := range []config.Variable{{Name: "clientId", Value: o.ClientID},
			{Name: "clientSecret", Value: o.ClientSecret}, {Name: "scope", Value: o.Scope}} {
			if member.Value != "" {
				add("oauth", member.Name, member.Value)
			}
		}
	}
	r.Uses = uses(server)
	r.Warnings = warnings(server, r)
	return r
}

// Secrets returns the parts to mask in a value of an entry that is not an argument. The name is that of the
// variable, header or member of oauth.
func Secrets(field, name, value string) []secret.Span {
	if !behaviour(name).IsZero() {
		name = "" // a value that starts other programs is shown
	}
	if field == "env" {
		return secret.InVariable(name, value)
	}
	return secret.InSetting(name, value)
}

// Line returns what runs on one line, for terminals and lists.
func (r *Review) Line() string { return r.Runs.String() }

// commandLine returns the command line of a program, with quotes where they are needed.
func commandLine(server *config.Server, secrets []string) Text {
	arguments, _ := secret.InCommand(server.Command, server.Args)
	line := quoted(server.Command, nil)
	for i, arg := range server.Args {
		line = append(line, Piece{Text: " "})
		line = append(line, quoted(arg, append(arguments[i].Secrets, typed(arg, secrets)...))...)
	}
	return join(line)
}

// shortestTyped is the shortest typed secret, in bytes, that is masked everywhere.
const shortestTyped = 4

// typed returns where typed secrets are in a value.
func typed(value string, secrets []string) []secret.Span {
	var found []secret.Span
	for _, text := range secrets {
		if text = strings.TrimSpace(text); len(text) < shortestTyped {
			continue
		}
		for at := 0; ; {
			i := strings.Index(value[at:], text)
			if i < 0 {
				break
			}
			found = append(found, secret.Span{Start: at + i, End: at + i + len(text)})
			at += i + len(text)
		}
	}
	return found
}

// quoted returns a word of a command line. The kind of quotes around it depends on the quotes in it.
func quoted(word string, spans []secret.Span) Text {
	inner := text(word, spans)
	switch {
	case len(inner) == 1 && inner[0].Kind == Masked,
		word != "" && !strings.ContainsAny(word, " \t\r\n\"'|&;<>()*?`") && !inner.unseen():
		return inner
	case !strings.Contains(word, `"`):
		return slices.Concat(Text{{Text: `"`}}, inner, Text{{Text: `"`}})
	case !strings.Contains(word, `'`):
		return slices.Concat(Text{{Text: `'`}}, inner, Text{{Text: `'`}})
	}
	for i := range inner {
		if inner[i].Kind == Plain {
			inner[i].Text = strings.ReplaceAll(inner[i].Text, `"`, `\"`)
		}
	}
	return slices.Concat(Text{{Text: `"`}}, inner, Text{{Text: `"`}})
}
