package config

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

const transportSpellings = `"stdio", "http" (also "streamable-http" or "streamableHttp") or "sse"`

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

// transport settles how a server is reached, and checks that the entry has what that needs.
func (d *diagnoser) transport(e *entry) {
	command, hasCommand := e.member("command")
	address, hasURL := e.member("url")
	given, clear := d.givenTransport(e)
	e.Transport = given
	if given == "" {
		e.Transport = TransportStdio
		if hasURL {
			e.Transport = TransportHTTP
		}
	}
	if hasCommand && hasURL {
		extra := address
		if command.name.StartOffset > address.name.StartOffset {
			extra = command
		}
		hint := `keep "command" for a program on this computer, or "url" for a server on the network`
		switch given {
		case TransportStdio:
			extra, hint = address, `the transport is "stdio", so take out "url"`
		case TransportHTTP, TransportSSE:
			extra, hint = command, fmt.Sprintf(`the transport is %q, so take out "command"`, given)
		}
		d.sayAt(SeverityError, extra.name, extra.at, `a server has either "command" or "url", not both`, hint)
	}
	if !clear {
		return
	}
	switch {
	case e.Transport == TransportStdio:
		d.stdioServer(e, hasURL)
	default:
		d.remoteServer(e, hasCommand)
	}
}

// givenTransport reads "transport" and "type". The transport is empty when neither is there; clear
// is false when they are there but cannot be understood.
func (d *diagnoser) givenTransport(e *entry) (given Transport, clear bool) {
	clear = true
	var first member
	for _, key := range []string{"transport", "type"} {
		m, ok := e.member(key)
		if !ok {
			continue
		}
		spelling, ok := d.stringOf(m, "write "+transportSpellings)
		if !ok {
			clear = false
			continue
		}
		transport, ok := parseTransport(spelling)
		switch {
		case !ok:
			clear = false
			hint := ""
			near, ok := parseTransport(nearestTransport(spelling))
			if ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			problem := d.sayAt(SeverityError, m.value, m.at, fmt.Sprintf("%q must be %s, not %s", key, transportSpellings, quote(spelling)), hint)
			if hint != "" {
				d.offer(problem, fmt.Sprintf("Write %q", near), d.replace(m.value, string(near)))
			}
		case given == "":
			given, first = transport, m
		case given != transport:
			clear = false
			second := m
			if first.name.StartOffset > m.name.StartOffset {
				second = first
			}
			d.sayAt(SeverityError, second.value, second.at, `"transport" and "type" say different things`, "they mean the same; keep one of them")
		}
	}
	return given, clear
}

// nearestTransport reads what people write for a transport.
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

func (d *diagnoser) stdioServer(e *entry, hasURL bool) {
	command, ok := e.member("command")
	switch {
	case !ok && hasURL:
		problem := d.sayAt(SeverityError, e.whole.name, e.whole.at, "the server "+quote(e.Name)+` has the transport "stdio" but no "command"`, `add "command", the program that starts it, or use the transport "http" for its "url"`)
		d.offerTransport(problem, e, TransportHTTP)
	case !ok:
		problem := d.sayAt(SeverityError, e.whole.name, e.whole.at, "the server "+quote(e.Name)+` has no "command"`, `add the program that starts it, for example "command": "npx", or for a server on the network its "url"`)
		d.offerUnwrapped(problem, e)
	case command.value.Value.Kind() != '"': // said already
	case strings.TrimSpace(e.Command) == "":
		d.sayAt(SeverityError, command.value, command.at, `"command" is empty`, `write the program that starts the server, for example "npx"`)
	case strings.TrimSpace(e.Command) != e.Command:
		problem := d.sayAt(SeverityError, command.value, command.at, `"command" begins or ends with a space`, "take it out")
		d.offer(problem, "Remove the space", d.trim(command.value)...)
	case commandLine(e.Command):
		problem := d.sayAt(SeverityWarning, command.value, command.at, `"command" seems to hold a whole command line`, splitHint(e.Command))
		d.offer(problem, splitTitle, d.splitCommand(e.object, command.value)...)
	}
	d.idle(e, "stdio", "headers", "oauth")
}

func (d *diagnoser) remoteServer(e *entry, hasCommand bool) {
	address, ok := e.member("url")
	switch {
	case !ok && hasCommand:
		problem := d.sayAt(SeverityError, e.whole.name, e.whole.at, fmt.Sprintf(`the server %s has the transport %q but no "url"`, quote(e.Name), e.Transport), `add its "url", or use the transport "stdio" for its "command"`)
		d.offerTransport(problem, e, TransportStdio)
	case !ok:
		d.sayAt(SeverityError, e.whole.name, e.whole.at, fmt.Sprintf(`the server %s has the transport %q but no "url"`, quote(e.Name), e.Transport), `add its address, for example "url": "https://example.com/mcp"`)
	case address.value.Value.Kind() != '"' || strings.Contains(e.URL, "${"): // said already, or known only when it is expanded
	case strings.TrimSpace(e.URL) == "":
		d.sayAt(SeverityError, address.value, address.at, `"url" is empty`, `write the server's address, for example "https://example.com/mcp"`)
	default:
		if why := checkURL(e.URL); why != "" {
			problem := d.sayAt(SeverityError, address.value, address.at, `"url" is no address of a server: `+why, `write it like "https://example.com/mcp"`)
			d.offerAddress(problem, address.value, e.URL)
		}
	}
	if hasCommand {
		return // that both are there has been said, and the others go with the command
	}
	d.idle(e, string(e.Transport), "args", "env", "cwd")
}

// idle warns about keys that do nothing with the server's transport.
func (d *diagnoser) idle(e *entry, transport string, keys ...string) {
	for _, key := range keys {
		if m, ok := e.member(key); ok && !isEmpty(m.value) {
			d.sayAt(SeverityWarning, m.name, m.at, fmt.Sprintf("%q does nothing for a server with the transport %q", key, transport), "take it out, or check the transport")
		}
	}
}

func isEmpty(v *hujson.Value) bool {
	switch value := v.Value.(type) {
	case *hujson.Object:
		return len(value.Members) == 0
	case *hujson.Array:
		return len(value.Elements) == 0
	}
	return false
}

// commandLine tells whether a command has arguments in it. Paths may hold spaces.
func commandLine(command string) bool {
	words := strings.Fields(command)
	if len(words) < 2 || strings.Contains(command, "${") {
		return false
	}
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@") {
			return true
		}
	}
	return !strings.ContainsAny(command, `/\`)
}

const splitTitle = `Split it into "command" and "args"`

// splitHint doesn't repeat the arguments, since there may be secrets among them.
func splitHint(command string) string {
	return `write "command": ` + quote(strings.Fields(command)[0]) + `, and the other words one by one in "args": ["…", "…"]`
}
