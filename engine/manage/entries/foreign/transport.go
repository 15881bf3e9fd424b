package foreign

import (
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// transportOf returns the transport for a name in another product. It is empty for a name that means several or none;
// known is false if no product is known to use the name.
func transportOf(name string) (transport config.Transport, known bool) {
	switch fold(name) {
	case "stdio", "local", "command", "process", "custom", "stdioserverparams", "stdioconnectionparams":
		return config.TransportStdio, true
	case "sse", "sseserverparams", "sseconnectionparams":
		return config.TransportSSE, true
	case "http", "https", "streamable", "streamablehttp", "httpstream", "streamablehttpserverparams",
		"streamablehttpconnectionparams":
		return config.TransportHTTP, true
	case "", "remote", "url", "mcp":
		return "", true
	}
	return "", false
}

// tidyTransport determines the transport from the name in the text and from the fields of the entry, and leaves out
// fields that servers with this transport cannot have.
func (t *translation) tidyTransport() {
	s := &t.Server
	given, known := transportOf(t.given)
	switch {
	case s.Command == "" || s.URL == "":
	case given == config.TransportStdio && len(s.Args) == 0 && !strings.Contains(s.URL, "://"):
		s.Args, s.URL = wordsOf(s.URL), "" // Witsy has the arguments in the URL
		t.note(words.New("foreign.split"))
	case t.given == "":
		t.leaveField("url", words.New("foreign.address_left_out"))
		s.URL = ""
	case given == config.TransportStdio:
		t.leaveField("url", words.New("foreign.address_left_out_stdio"))
		s.URL = ""
	default:
		t.leaveField("command", words.New("foreign.command_left_out", "Transport", shown(t.given)))
		s.Command = ""
	}
	if s.URL == "" {
		s.Transport = config.TransportStdio
		if given != config.TransportStdio && t.given != "" && s.Command != "" && fold(t.given) != "mcp" {
			t.note(words.New("foreign.transport_of_command", "Transport", shown(t.given)))
		}
		t.cannotHave(config.TransportHTTP)
		return
	}
	s.Transport = config.TransportHTTP
	switch {
	case given == config.TransportSSE:
		s.Transport = config.TransportSSE
	case known && given == "" && looksSSE(s.URL):
		s.Transport = config.TransportSSE
		t.note(words.New("foreign.sse"))
	case given == config.TransportStdio:
		t.note(words.New("foreign.transport_of_address", "Transport", shown(t.given)))
	case !known:
		t.note(words.New("foreign.transport_unknown", "Transport", shown(t.given)))
	}
	t.cannotHave(config.TransportStdio)
}

// cannotHave leaves out the fields that only servers of another kind have.
func (t *translation) cannotHave(kind config.Transport) {
	s := &t.Server
	for _, f := range config.ServerFields() {
		if _, set := f.Value(s); !set || f.For != kind {
			continue
		}
		switch why := (words.Text{}); f.Name {
		case "command", "url":
		case "env":
			used, unused := t.used()
			if len(unused) > 0 {
				t.leaveField(f.Name, words.New("foreign.no_variables", "Names", variableNames(unused)))
			}
			s.Env = used
		case "headers":
			t.leaveField(f.Name, words.New("foreign.no_headers"))
			s.Headers = nil
		case "args":
			t.leaveField(f.Name, why)
			s.Args = nil
		case "cwd":
			t.leaveField(f.Name, why)
			s.Cwd = ""
		case "inheritEnv":
			t.leave(f.Name, why)
			s.InheritEnv = false
		case "share":
			t.leave(f.Name, why)
			s.Share = nil
		case "oauth":
			t.leaveField(f.Name, words.New("foreign.sign_in"))
			s.OAuth = nil
		default:
			t.leave(f.Name, why)
		}
	}
}

// used splits the variables of a server on the web into those that its address, headers or sign-in refer to in any
// style, and the others.
func (t *translation) used() (used, unused []config.Variable) {
	var texts []string
	s := t.Server
	s.Env = nil
	Each(&s, func(_ Part, value *string) { texts = append(texts, *value) })
	unused = t.Server.Env
	for again := true; again; { // a variable may refer to others
		again = false
		var rest []config.Variable
		for _, v := range unused {
			refers := func(text string) bool {
				return slices.ContainsFunc([]string{"$", "{", "{ ", ":", "%"}, func(sign string) bool {
					return strings.Contains(text, sign+v.Name)
				})
			}
			if !slices.ContainsFunc(texts, refers) {
				rest = append(rest, v)
				continue
			}
			used, again = append(used, v), true
			texts = append(texts, v.Value)
		}
		unused = rest
	}
	return used, unused
}

func variableNames(list []config.Variable) words.Text {
	names := make([]string, 0, len(list))
	for _, v := range list {
		names = append(names, v.Name)
	}
	return shown(strings.Join(names, ", "))
}

// looksSSE reports whether an address has the form that is usual for the older transport, SSE.
func looksSSE(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return path.Base(strings.TrimRight(address, "/")) == "sse"
}
