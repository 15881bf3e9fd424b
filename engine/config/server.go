package config

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

var serverKeys = []string{
	"command", "args", "env", "cwd", "transport", "type", "url", "headers",
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
	case "timeout", "tooltimeout", "tool_timeout_sec", "requesttimeout":
		return "callTimeout"
	case "startup_timeout_sec", "startup_timeout", "inittimeout":
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
	e := &entry{&Server{Name: m.key}, m, d.members(object, m.at)}
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
	case "toolFilters":
		e.ToolFilters = d.filters(m)
	case "disabled":
		if kind := m.value.Value.Kind(); kind == 't' || kind == 'f' {
			e.Disabled = kind == 't'
		} else {
			d.wrongType(m, "true or false", "write it without quotes, or leave it out")
		}
	case "startupTimeout":
		e.StartupTimeout = d.seconds(m)
	case "callTimeout":
		e.CallTimeout = d.seconds(m)
	default:
		hint := suggest(m.key, serverKeys, serverAlias)
		if strings.EqualFold(m.key, "enabled") || strings.EqualFold(m.key, "active") {
			hint = `it does nothing here; to switch a server off, write "disabled": true`
		}
		if strings.EqualFold(m.key, "envFile") {
			hint = `files with variables are not read; write the variables into "env"`
		}
		d.unknown(m, hint)
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
	start := d.shift + m.value.StartOffset
	if i := strings.IndexByte(value, 0); i >= 0 {
		at := newOffsets(literal, start).source(i)
		d.say(SeverityError, at, at+len(`\u0000`), m.at, "there is a zero character here, which no program can be given", "take it out")
	}
	if !strings.Contains(value, "${") {
		if m.key == "command" || m.key == "cwd" {
			d.remember(m, literal, start, value)
		}
		return
	}
	d.remember(m, literal, start, value)
	places := newOffsets(literal, start)
	pieces(value, func(p piece) bool {
		if p.flaw != nil {
			from := places.source(p.flaw.start)
			d.say(SeverityError, from, places.source(p.flaw.end), m.at, p.flaw.message, p.flaw.hint)
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
	const example = `write each argument as a string of its own: "args": ["-y", "package"]`
	array, ok := d.array(m, example)
	if !ok {
		return nil
	}
	args := make([]string, 0, len(array.Elements))
	for i := range array.Elements {
		element := &array.Elements[i]
		at := member{key: fmt.Sprintf("args[%d]", i), value: element, at: m.at.element(i)}
		value := ""
		if d.isString(at, "an argument") {
			value = decode(element.Value.(hujson.Literal))
			d.checkValue(at, value)
		}
		args = append(args, value)
	}
	return args
}

// isString checks something that must be a string, and that people often write as a number.
func (d *diagnoser) isString(m member, what string) bool {
	switch m.value.Value.Kind() {
	case '"':
		return true
	case '0', 't', 'f':
		hint := "put it into double quotes"
		if literal := string(m.value.Value.(hujson.Literal)); len(literal) <= len("65535") { // a longer one might be secret
			hint += ": " + quote(literal)
		}
		d.sayAt(SeverityError, m.value, m.at, what+" must be a string, not "+kindName(m.value.Value), hint)
	case 'n':
		d.sayAt(SeverityError, m.value, m.at, what+" must be a string, not null", `write "" for an empty one, or leave it out`)
	default:
		d.sayAt(SeverityError, m.value, m.at, what+" must be a string, not "+kindName(m.value.Value), "write text in double quotes")
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
	for _, v := range d.members(object, m.at) {
		if !d.isString(v, quote(v.key)) {
			continue
		}
		value := decode(v.value.Value.(hujson.Literal))
		if message, hint := check(v.key, value); message != "" {
			d.sayAt(SeverityError, v.name, v.at, message, hint)
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
	array, ok := d.array(m, `write ["*"] for all tools, or the names of some: ["read_file", "list_files"]`)
	if !ok {
		return nil
	}
	filters := make([]string, 0, len(array.Elements))
	seen := make(map[string]bool, len(array.Elements))
	for i := range array.Elements {
		element := &array.Elements[i]
		at := member{value: element, at: m.at.element(i)}
		if element.Value.Kind() != '"' {
			d.sayAt(SeverityError, element, at.at, "the name of a tool must be a string, not "+kindName(element.Value), "put it into double quotes")
			continue
		}
		name := decode(element.Value.(hujson.Literal))
		switch {
		case seen[name]:
			d.sayAt(SeverityWarning, element, at.at, quote(name)+" is there twice", "keep one of the two")
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
		d.wrongType(m, "a number of seconds", "write it without quotes, for example 10; 0 means no limit")
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
