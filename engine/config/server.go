package config

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

var serverKeys = []string{
	"command", "args", "env", "cwd", "transport", "type", "url", "headers", "oauth",
	"toolFilters", "disabled", "startupTimeout", "callTimeout",
}

// serverAlias knows other clients' words for what a server has.
func serverAlias(key string) string {
	switch strings.ToLower(key) {
	case "cmd", "program", "executable", "exec":
		return "command"
	case "arguments", "argv":
		return "args"
	case "environment", "enviroment", "envs", "envvars":
		return "env"
	case "workingdirectory", "working_directory", "workdir", "dir", "directory":
		return "cwd"
	case "serverurl", "httpurl", "endpoint", "uri", "address":
		return "url"
	case "http_headers", "requestheaders":
		return "headers"
	case "tools", "includetools", "allowedtools", "enabledtools", "enabled_tools", "toolfilter":
		return "toolFilters"
	case "tool_timeout_sec":
		return "callTimeout"
	case "startup_timeout_sec":
		return "startupTimeout"
	}
	return ""
}

// text is a string of a server's entry in which references are expanded.
type text struct {
	server  *Server
	at      *place
	literal hujson.Literal
	start   int // in the source
	value   string
}

// entry is a server's entry while it is read.
type entry struct {
	*Server
	whole   member
	object  *hujson.Object
	members []member
}

func (e *entry) member(key string) (member, bool) {
	for _, m := range e.members {
		if m.key == key && !m.repeated {
			return m, true
		}
	}
	return member{}, false
}

// server reads one entry. What it says counts only when inForce is set; it doesn't for the second of
// two entries with one name.
func (d *diagnoser) server(m member, inForce bool) *Server {
	object, ok := d.object(m, `a server is written {"command": "…", "args": ["…"]}`)
	if !ok {
		d.duplicates(m.value, m.at)
		return nil
	}
	e := &entry{&Server{Name: m.key}, m, object, d.members(object, m.at)}
	d.inServer = nil
	if inForce {
		d.inServer = e.Server
	}
	for _, part := range e.members {
		if part.repeated {
			d.duplicates(part.value, part.at)
			continue
		}
		d.serverMember(e, part)
	}
	d.transport(e)
	return e.Server
}

func (d *diagnoser) serverMember(e *entry, m member) {
	switch m.key {
	case "command":
		if d.otherCommand(e, m) {
			break
		}
		e.Command = d.value(m, `write the program's name, for example "npx"`)
	case "args":
		e.Args = d.args(m)
	case "env":
		e.Env = d.variables(m, checkVariable, `write "env": {"NAME": "value"}`)
	case "cwd":
		e.Cwd = d.value(m, "write the path of a folder, or leave it out")
	case "transport", "type": // read together, later
	case "url":
		e.URL = d.value(m, `write the server's address, for example "https://example.com/mcp"`)
	case "headers":
		e.Headers = d.variables(m, checkHeader, `write "headers": {"Authorization": "Bearer …"}`)
	case "oauth":
		e.OAuth = d.oauth(m)
	case "toolFilters":
		e.ToolFilters = d.filters(m)
	case "disabled":
		if kind := m.value.Value.Kind(); kind == 't' || kind == 'f' {
			e.Disabled = kind == 't'
		} else {
			problem := d.wrongType(m, "true or false", "write it without quotes, or leave it out")
			if value, ok := trueOrFalse(m.value); ok {
				d.offer(problem, "Write "+value, d.replaceAll(m.value, value))
			}
		}
	case "startupTimeout":
		e.StartupTimeout = d.seconds(m)
	case "callTimeout":
		e.CallTimeout = d.seconds(m)
	default:
		d.unknownOfServer(e, m)
	}
}

// value reads a string in which references are expanded.
func (d *diagnoser) value(m member, hint string) string {
	value, ok := d.stringOf(m, hint)
	if ok {
		d.checkValue(m, value)
	}
	return value
}

// checkValue checks the references of a string and remembers its place.
func (d *diagnoser) checkValue(m member, value string) {
	literal := m.value.Value.(hujson.Literal)
	start := d.original(m.value.StartOffset)
	if i := strings.IndexByte(value, 0); i >= 0 {
		at := newOffsets(literal, start).source(i)
		problem := d.say(SeverityError, at, at+len(`\u0000`), m.at, "there is a zero character here, which no program can be given", "take it out")
		d.offer(problem, "Remove it", Change{Start: at, End: at + len(`\u0000`)})
	}
	if bytes.IndexByte(literal, '\\') >= 0 && windowsPath(literal[1:len(literal)-1]) && strings.ContainsAny(value, "\b\f\n\r\t") {
		problem := d.sayAt(SeverityWarning, m.value, m.at, `this looks like a Windows path, but has "\b", "\f", "\n", "\r" or "\t" in it, which is a control character`, `write "\\" for each "\", for example "C:\\tools\\node.exe"`)
		d.offer(problem, "Double the backslashes", doubleBackslashes(literal[1:len(literal)-1], start+1)...)
	}
	if !strings.Contains(value, "${") {
		if m.key == "command" || m.key == "cwd" || m.key == "url" {
			d.remember(m, literal, start, value)
		}
		return
	}
	d.remember(m, literal, start, value)
	places := newOffsets(literal, start)
	pieces(value, func(p piece) bool {
		if p.flaw != nil {
			from := places.source(p.flaw.start)
			problem := d.say(SeverityError, from, places.source(p.flaw.end), m.at, p.flaw.message, p.flaw.hint)
			d.offer(problem, p.flaw.title, placed(p.flaw.changes, literal, start)...)
		}
		return d.counts[SeverityError] < maxDiagnostics
	})
}

func (d *diagnoser) remember(m member, literal hujson.Literal, start int, value string) {
	if d.inServer != nil {
		d.texts = append(d.texts, text{d.inServer, m.at, literal, start, value})
	}
}

func (d *diagnoser) args(m member) []string {
	const example = `write each argument as text of its own: "args": ["-y", "package"]`
	array, ok := m.value.Value.(*hujson.Array)
	if !ok {
		problem := d.wrongType(m, anArray, example)
		d.offer(problem, "Make it a list", d.splitText(m.value, "[", "]")...)
		return nil
	}
	args := make([]string, 0, len(array.Elements))
	for i := range array.Elements {
		element := &array.Elements[i]
		at := member{value: element, at: m.at.element(i)}
		value := ""
		if d.isString(at, func() string { return "an argument" }) {
			value = decode(element.Value.(hujson.Literal))
			d.checkValue(at, value)
		}
		args = append(args, value)
	}
	return args
}

// isString checks something that must be a string, and that people often write as a number.
func (d *diagnoser) isString(m member, what func() string) bool {
	switch m.value.Value.Kind() {
	case '"':
		return true
	case '0', 't', 'f':
		hint := "put it into double quotes"
		if literal := string(m.value.Value.(hujson.Literal)); len(literal) <= len("65535") && !secret.Key(m.key) && m.key != "" {
			hint += ": " + quote(literal)
		}
		problem := d.sayAt(SeverityError, m.value, m.at, what()+" must be "+aString+butIs(m.value.Value), hint)
		d.offerQuotes(problem, m.value)
	case 'n':
		d.sayAt(SeverityError, m.value, m.at, what()+" must be "+aString+butIs(m.value.Value), `write "" for an empty one, or leave it out`)
	default:
		d.sayAt(SeverityError, m.value, m.at, what()+" must be "+aString+butIs(m.value.Value), `write one text here: "…"`)
	}
	return false
}

// variables reads an object of strings. The check says what is wrong with a name or a value.
func (d *diagnoser) variables(m member, check func(name, value string) (message, hint string), example string) []Variable {
	object, ok := d.object(m, example)
	if !ok {
		return nil
	}
	variables := make([]Variable, 0, len(object.Members))
	members := d.members(object, m.at)
	for _, v := range members {
		if !d.isString(v, func() string { return quote(v.key) }) {
			continue
		}
		value := decode(v.value.Value.(hujson.Literal))
		if message, hint := check(v.key, value); message != "" {
			problem := d.sayAt(SeverityError, v.name, v.at, message, hint)
			if trimmed := strings.TrimRight(strings.TrimSpace(v.key), ": "); trimmed != v.key && !taken(members, trimmed) {
				d.offer(problem, "Correct the name", d.trimTo(v.name, trimmed)...)
			}
		}
		at := v
		at.key = "" // a variable may well be called "command"
		d.checkValue(at, value)
		if !v.repeated {
			variables = append(variables, Variable{v.key, value})
		}
	}
	return variables
}

func checkVariable(name, _ string) (message, hint string) {
	switch {
	case name == "":
		return "an environment variable has an empty name", `write "env": {"NAME": "value"}`
	case strings.ContainsAny(name, "=\x00"):
		return "the name " + quote(name) + ` has a character that names of environment variables cannot have`, `take out "=" and zero characters; the value belongs on the other side of the ":"`
	case strings.TrimSpace(name) != name:
		return "the name " + quote(name) + " begins or ends with a space", "write " + quote(strings.TrimSpace(name))
	}
	return "", ""
}

func checkHeader(name, value string) (message, hint string) {
	valid := name != ""
	for _, r := range name { // RFC 9110, section 5.6.2
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		valid = valid && (letter || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}
	switch {
	case !valid:
		return "the name " + quote(name) + " cannot be that of an HTTP header", `header names are like "Authorization" or "X-Api-Key": no spaces and no ":"`
	case strings.ContainsAny(value, "\r\n"):
		return "the header " + quote(name) + " has a line break in its value", "write the value on one line"
	}
	return "", ""
}

func (d *diagnoser) filters(m member) []string {
	array, ok := m.value.Value.(*hujson.Array)
	if !ok {
		problem := d.wrongType(m, anArray, `write ["*"] for all tools, or the names of some: ["read_file", "list_files"]`)
		if m.value.Value.Kind() == '"' {
			d.offer(problem, "Make it a list", d.enclose(m.value, "[", "]")...)
		}
		return nil
	}
	filters := make([]string, 0, len(array.Elements))
	seen := make(map[string]bool, len(array.Elements))
	for i := range array.Elements {
		element := &array.Elements[i]
		at := member{value: element, at: m.at.element(i)}
		if element.Value.Kind() != '"' {
			problem := d.sayAt(SeverityError, element, at.at, "the name of a tool must be "+aString+butIs(element.Value), "put it into double quotes")
			d.offerQuotes(problem, element)
			continue
		}
		name := decode(element.Value.(hujson.Literal))
		switch {
		case seen[name]:
			problem := d.sayAt(SeverityWarning, element, at.at, quote(name)+" is there twice", "keep one of the two")
			d.offer(problem, "Remove the second", d.removeElement(array, i)...)
			continue
		case strings.TrimSpace(name) == "":
			d.sayAt(SeverityWarning, element, at.at, "this name of a tool is empty, so it matches nothing", "write a tool's exact name, or take it out")
		case name != "*" && strings.Contains(name, "*"):
			d.sayAt(SeverityWarning, element, at.at, quote(name)+" is taken as a tool's exact name, not as a pattern", `list the tools by their names, or write "*" alone for all of them`)
		}
		seen[name] = true
		filters = append(filters, name)
	}
	return filters
}

// maxSeconds is the longest time limit: a year.
const maxSeconds = 365 * 24 * 60 * 60

func (d *diagnoser) seconds(m member) *time.Duration {
	if m.value.Value.Kind() != '0' {
		problem := d.wrongType(m, "a number of seconds", "write it without quotes, for example 10; 0 means no limit")
		if m.value.Value.Kind() == '"' && validNumber([]byte(decode(m.value.Value.(hujson.Literal)))) {
			d.offer(problem, "Remove the quotes", d.unquote(m.value)...)
		}
		return nil
	}
	seconds, err := strconv.ParseFloat(string(m.value.Value.(hujson.Literal)), 64)
	switch {
	case seconds < 0:
		d.sayAt(SeverityError, m.value, m.at, quote(m.key)+" is negative", "write a number of seconds; 0 means no limit")
	case err != nil || seconds > maxSeconds:
		d.sayAt(SeverityError, m.value, m.at, quote(m.key)+" is longer than a year", "it is a number of seconds; 0 means no limit")
	default:
		limit := time.Duration(seconds * float64(time.Second))
		if limit == 0 && seconds > 0 {
			limit = 1 // not 0, which would be no limit at all
		}
		return &limit
	}
	return nil
}

// checkURL says why a text without references is not a remote server's address, or nothing.
func checkURL(address string) string {
	parsed, err := url.Parse(address)
	switch {
	case strings.TrimSpace(address) != address:
		return "it begins or ends with a space"
	case err != nil:
		return "it is not written as an address"
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return "it does not begin with http:// or https://"
	case parsed.Hostname() == "":
		return "it names no host"
	}
	return ""
}
