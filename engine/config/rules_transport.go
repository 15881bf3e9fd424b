package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// parseTransport reads the accepted spellings of a transport.
func parseTransport(spelling string) (Transport, bool) {
	switch spelling {
	case "stdio":
		return TransportStdio, true
	case "http", "streamable-http", "streamableHttp":
		return TransportHTTP, true
	case "sse":
		return TransportSSE, true
	}
	return "", false
}

var unknownTransport = Rule{Code: "unknown-transport",
	About: "\"transport\" (or \"type\") says how a server is reached, and Workbench knows three ways.",
	Entry: `"type": "streamable_http", "url": "https://example.com/mcp"`}

func sayUnknownTransport(d *diagnoser, m member, spelling string) {
	var hint words.Text
	near, ok := parseTransport(nearestTransport(spelling))
	if ok {
		hint = didYouMean(string(near))
	}
	problem := d.sayAt(unknownTransport, m.value.Span, m.at,
		words.New("config.unknown_transport", "Field", quote(m.key), "Value", quote(spelling)), hint)
	if ok {
		d.offer(problem, fixWrite(quote(string(near))), replaceText(m.value, string(near)))
	}
}

// nearestTransport returns the transport that people mean by a spelling.
func nearestTransport(spelling string) string {
	folded := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(spelling))
	switch folded {
	case "stdio", "local", "command", "std", "stdin", "stdout", "process":
		return "stdio"
	case "http", "https", "streamable", "streamablehttp", "httpstream", "httpstreamable", "remote", "streaminghttp":
		return "http"
	case "sse", "eventstream", "serversentevents":
		return "sse"
	}
	return ""
}

var transportTwice = Rule{Code: "transport-and-type-differ",
	About: "\"transport\" and \"type\" are two names for one thing, and here they have different values.",
	Entry: `"type": "stdio", "transport": "sse", "command": "npx"`}

var commandAndURL = Rule{Code: "command-and-url",
	About: "A server is either a program on this computer or a server on the network.",
	Entry: `"command": "npx", "url": "https://example.com/mcp"`}

func sayCommandAndURL(d *diagnoser, given Transport, command, url member) {
	extra := url
	if command.name.Start > url.name.Start {
		extra = command
	}
	hint := words.New("config.command_and_url.hint")
	switch given {
	case TransportStdio:
		extra, hint = url, words.New("config.take_out_other", "Transport", quoted(string(given)), "Field", quoted(url.key))
	case TransportHTTP, TransportSSE:
		extra, hint = command, words.New("config.take_out_other", "Transport", quoted(string(given)), "Field",
			quoted(command.key))
	}
	d.sayAt(commandAndURL, extra.name, extra.at, words.New("config.command_and_url"), hint)
}

var noCommand = Rule{Code: "no-command",
	About: "A server has neither a \"command\" that starts it nor a \"url\" at which it is reached.",
	Entry: `"args": ["-y", "some-server"]`}

var commandMissing = Rule{Code: "command-missing",
	About: "The transport says that the server is a program on this computer, but there is only the address of one on " +
		"the network.",
	Entry: `"transport": "stdio", "url": "https://example.com/mcp"`}

func sayNoCommand(d *diagnoser, e *entry, hasURL bool) {
	if hasURL {
		problem := d.sayAt(commandMissing, e.file.whole.name, e.file.whole.at,
			words.New("config.command_missing", "Server", quote(e.Name)),
			words.New("config.command_missing.hint"))
		offerTransport(d, problem, e, TransportHTTP)
		return
	}
	problem := d.sayAt(noCommand, e.file.whole.name, e.file.whole.at, words.New("config.no_command", "Server", quote(e.Name)),
		words.New("config.no_command.hint"))
	offerUnwrapped(d, problem, e)
}

var urlMissing = Rule{Code: "url-missing",
	About: "The transport says that the server is on the network, but its address is missing.",
	Entry: `"transport": "http", "command": "npx"`}

func sayNoURL(d *diagnoser, e *entry, hasCommand bool) {
	hint := words.New("config.url_missing.hint")
	if hasCommand {
		hint = words.New("config.url_missing_command.hint")
	}
	problem := d.sayAt(urlMissing, e.file.whole.name, e.file.whole.at,
		words.New("config.url_missing", "Server", quote(e.Name), "Transport", quote(string(e.Transport))), hint)
	if hasCommand {
		offerTransport(d, problem, e, TransportStdio)
	}
}

// offerTransport proposes to change the transport.
func offerTransport(d *diagnoser, problem *Diagnostic, e *entry, transport Transport) {
	if d.noFixes() {
		return
	}
	var changes []Change
	for _, key := range []string{"transport", "type"} {
		if m, ok := e.member(key); ok {
			changes = append(changes, replaceText(m.value, string(transport)))
		}
	}
	d.offer(problem, fixWrite(quote(string(transport))), changes...)
}

var fieldWithoutEffect = Rule{Code: "field-without-effect", Severity: SeverityWarning,
	About: "A field belongs to the other kind of server: \"headers\" to one on the network, \"args\" to a program, " +
		"and so on.",
	Entry: `"command": "npx", "headers": {"A": "b"}`}

// sayFieldsWithoutEffect warns about fields that have no effect with the server's transport.
func sayFieldsWithoutEffect(d *diagnoser, e *entry) {
	fields := ServerFields()
	for i := range fields {
		f := &fields[i]
		if f.For == "" || (f.For == TransportStdio) == (e.Transport == TransportStdio) || f.Name == "command" ||
			f.Name == "url" {
			continue // having both "command" and "url" is reported elsewhere
		}
		if m, ok := e.member(f.Name); ok && !isEmpty(m.value) && !(f.Name == "env" && e.usesOwn()) {
			d.sayAt(fieldWithoutEffect, m.name, m.at,
				words.New("config.field_without_effect", "Field", quoted(f.Name), "Transport", quoted(string(e.Transport))),
				words.New("config.field_without_effect.hint"))
		}
	}
}

// usesOwn reports whether the address, a header or the sign-in of a server refers to a variable of its env.
func (s *Server) usesOwn() bool {
	texts := []string{s.URL}
	for _, h := range s.Headers {
		texts = append(texts, h.Value)
	}
	if s.OAuth != nil {
		texts = append(texts, s.OAuth.ClientID, s.OAuth.ClientSecret, s.OAuth.Scope)
	}
	names := namesOf(s.Env)
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(References(text), func(r Reference) bool {
			_, ok := names[foldVariable(r.Name)]
			return ok && !r.Keyring
		})
	})
}

// isEmpty reports whether a value is an empty object or array.
func isEmpty(v *node) bool {
	k := v.Kind
	return (k == '{' || k == '[') && len(v.Children) == 0
}
