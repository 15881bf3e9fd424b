// Package review judges the entry of a server before anything of it is started: what runs, shown whole; what is worth a warning; and what of
// the user's it gets. The window and the commands show the same, and neither judges by itself.
//
// An entry comes from anybody: from a web page, another program's file, an agent. So all of it is shown, with what cannot be seen made
// visible, and only what is surely a secret is masked. See [secret.InCommand] for what is never taken for one.
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
	// Remote is set when a server on the web is connected to. Else a program is started.
	Remote bool

	// Runs is the command with its arguments as one types it, or the address.
	Runs Text

	// Settings are what else the entry has, in the order of the file.
	Settings []Setting

	// Warnings are what is worth knowing, the loud ones first.
	Warnings []Warning

	// Uses are what the server gets of the user's, each once.
	Uses []Use
}

// Setting is a variable, a header, or another value of an entry.
type Setting struct {
	Field string // of the entry: "env", "headers", "cwd" or "oauth"
	Name  Text   // of the variable or header; of "oauth" that of the member
	Value Text
}

// Warning is something worth knowing about a server.
type Warning struct {
	Text words.Text
	Loud bool // it changes what other programs do, or hides something, or lets code run that stands in the entry
}

// Of judges an entry. The secrets are texts to be masked wherever they stand in values, such as what somebody has typed into a field for a
// password; those that are too short to tell are not masked by that.
func Of(server *config.Server, secrets ...string) *Review {
	r := &Review{Remote: server.Transport != config.TransportStdio && server.Transport != ""}
	if r.Remote {
		r.Runs = text(server.URL, append(Secrets("url", "", server.URL), typed(server.URL, secrets)...))
	} else {
		r.Runs = commandLine(server, secrets)
	}
	add := func(field, name, value string) {
		r.Settings = append(r.Settings, Setting{field, Visible(name), text(value, append(Secrets(field, name, value), typed(value, secrets)...))})
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
		for _, member := range []config.Variable{{Name: "clientId", Value: o.ClientID}, {Name: "clientSecret", Value: o.ClientSecret}, {Name: "scope", Value: o.Scope}} {
			if member.Value != "" {
				add("oauth", member.Name, member.Value)
			}
		}
	}
	r.Uses = uses(server)
	r.Warnings = warnings(server, r)
	return r
}

// Secrets returns what is masked of a value of an entry that is no argument. The name is that of a variable, a header or a member of oauth.
func Secrets(field, name, value string) []secret.Span {
	if !behaviour(name).IsZero() {
		name = "" // what runs other programs is shown
	}
	if field == "env" {
		return secret.InVariable(name, value)
	}
	return secret.InSetting(name, value)
}

// Line is what runs in one line, for terminals and lists.
func (r *Review) Line() string { return r.Runs.String() }

// commandLine is what a program is started by. Words that would fall apart are in quotes.
func commandLine(server *config.Server, secrets []string) Text {
	arguments, _ := secret.InCommand(server.Command, server.Args)
	line := quoted(server.Command, nil)
	for i, arg := range server.Args {
		line = append(line, Piece{Text: " "})
		line = append(line, quoted(arg, append(arguments[i].Secrets, typed(arg, secrets)...))...)
	}
	return join(line)
}

// shortestTyped is how long a typed secret must be to be masked wherever it stands.
const shortestTyped = 4

// typed returns where secrets that somebody has typed stand in a value.
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

// quoted is a word of a command line. Quotes within it decide which ones are put around it.
func quoted(word string, spans []secret.Span) Text {
	inner := text(word, spans)
	switch {
	case len(inner) == 1 && inner[0].Kind == Masked, word != "" && !strings.ContainsAny(word, " \t\r\n\"'|&;<>()*?`") && !inner.unseen():
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
