package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// entry is a server's entry while it is being read.
type entry struct {
	*Server
	file inFile
}

// inFile is what the file has of an entry.
type inFile struct {
	whole   member
	members []member
}

// member returns a member of the entry, but not a repeated one.
func (e *entry) member(key string) (member, bool) {
	i := slices.IndexFunc(e.file.members, func(m member) bool { return m.key == key && !m.repeated })
	if i < 0 {
		return member{}, false
	}
	return e.file.members[i], true
}

// stringText is a string of a server's entry in which references are expanded.
type stringText struct {
	server *Server
	args   *node // the "args" of the entry; nil if there are none
	at     *docPath
	in     *node
	start  int // in the source
	value  string
}

// server reads one entry. If inForce is false, the entry has no effect, as for the second of two entries with
// the same name.
func (d *diagnoser) server(m member, inForce bool) *Server {
	if !d.isGroup(m, "config.server.write") {
		return nil
	}
	e := &entry{Server: &Server{Name: m.key}, file: inFile{m, d.members(m.value, m.at)}}
	d.inEntry = nil
	if inForce {
		d.inEntry = e
	}
	for _, part := range e.file.members {
		switch f := fieldNamed(serverFields, part.key); {
		case part.repeated:
			d.onlyDuplicates(part.value, part.at)
		case f == nil:
			otherServerMember(d, e, part)
		default:
			d.field(e, f, part)
		}
	}
	d.transport(e)
	for _, r := range d.rules.server {
		r.server(d, r, e)
	}
	return e.Server
}

// field reads a field of an entry.
func (d *diagnoser) field(e *entry, f *Field, m member) {
	switch to := f.of(e.Server).(type) {
	case *Transport: // "transport" and "type" are read together
	case *string:
		*to = d.valueOf(e, f, m)
	case *[]string:
		if f.Kind == KindNames {
			*to = d.toolNames(f, m)
		} else {
			*to = d.texts(f, m)
		}
	case *[]Variable:
		*to = d.variables(f, m)
	case *bool:
		*to = d.switchOf(m, f.Write)
	case **bool:
		*to = new(d.switchOf(m, f.Write))
	case **time.Duration:
		*to = d.seconds(f, m)
	case *int:
		*to = d.integer(f, m)
	case **OAuth:
		d.group(e, f, m)
	}
}

// switchOf reads true or false.
func (d *diagnoser) switchOf(m member, write words.Code) bool {
	if k := m.value.Kind; k != 't' && k != 'f' {
		sayWrongType(d, m, 't', write)
	}
	return m.value.Kind == 't'
}

// valueOf reads a string in which references are expanded.
func (d *diagnoser) valueOf(e *entry, f *Field, m member) string {
	if f.Name == "command" && otherCommand(d, e, f, m) {
		return ""
	}
	value, ok := d.stringOf(m, f.Write)
	if ok {
		d.checkText(m, value)
	}
	return value
}

// checkText checks a string in which references are expanded, and records its place.
func (d *diagnoser) checkText(m member, value string) {
	if d.inEntry != nil && (strings.Contains(value, "${") || m.key == "command" || m.key == "cwd" || m.key == "url") {
		args, _ := d.inEntry.member("args")
		d.strings = append(d.strings, stringText{d.inEntry.Server, args.value, m.at, m.value, d.src.original(m.value.Start),
			value})
	}
	for _, r := range d.rules.text {
		r.text(d, r, m, value)
	}
	checkReferences(d, m, value)
}

// texts reads an array of strings in which references are expanded.
func (d *diagnoser) texts(f *Field, m member) []string {
	if m.value.Kind != '[' {
		sayWrongType(d, m, '[', f.Write)
		return nil
	}
	list, places := make([]string, len(m.value.Children)), m.at.elements(len(m.value.Children))
	for i := range list {
		element := member{value: m.value.Children[i], at: &places[i]}
		if element.value.Kind != jsonc.String {
			sayNotString(d, element, words.New("config.an_argument"))
			continue
		}
		list[i] = element.value.Str()
		d.checkText(element, list[i])
	}
	return list
}

// variableAt is a member of "env" or "headers".
type variableAt struct {
	member
	value    string
	siblings []member
}

// variables reads an object of strings.
func (d *diagnoser) variables(f *Field, m member) []Variable {
	if m.value.Kind != '{' {
		sayWrongType(d, m, '{', f.Write)
		return nil
	}
	members := d.members(m.value, m.at)
	variables := make([]Variable, 0, len(members))
	for _, v := range members {
		if v.value.Kind != jsonc.String {
			sayNotString(d, v, quoted(v.key))
			continue
		}
		value := v.value.Str()
		for _, r := range d.rules.variable {
			r.variable(d, r, f, variableAt{v, value, members})
		}
		at := v
		at.key = "" // so that a variable named "command" is not treated as the field
		d.checkText(at, value)
		if !v.repeated {
			variables = append(variables, Variable{v.key, value})
		}
	}
	return variables
}

// toolAt is an element of "toolFilters".
type toolAt struct {
	name  string
	list  *node
	index int
	again bool // the name stands before already
}

// toolNames reads "toolFilters".
func (d *diagnoser) toolNames(f *Field, m member) []string {
	if m.value.Kind != '[' {
		sayWrongType(d, m, '[', f.Write)
		return nil
	}
	names, places := make([]string, 0, len(m.value.Children)), m.at.elements(len(m.value.Children))
	before := make(map[string]bool, len(names))
	for i := range len(m.value.Children) {
		element := member{value: m.value.Children[i], at: &places[i]}
		if element.value.Kind != jsonc.String {
			sayWrongElement(d, element, "config.a_tool_name")
			continue
		}
		name := element.value.Str()
		for _, r := range d.rules.tool {
			r.tool(d, r, element, toolAt{name, m.value, i, before[name]})
		}
		if !before[name] {
			before[name] = true
			names = append(names, name)
		}
	}
	return names
}

// maxSeconds is the longest time limit: a year.
const maxSeconds = 365 * 24 * 60 * 60

// number reads a number. ok is false if there is none.
func (d *diagnoser) number(f *Field, m member) (float64, bool) {
	if m.value.Kind != '0' {
		want := byte('0')
		if f.Kind == KindSeconds {
			want = 's'
		}
		sayWrongType(d, m, want, f.Write)
		return 0, false
	}
	number, _ := strconv.ParseFloat(m.value.Raw(), 64) // infinite if it is too large
	return number, true
}

// seconds reads a time limit.
func (d *diagnoser) seconds(f *Field, m member) *time.Duration {
	seconds, ok := d.number(f, m)
	switch {
	case !ok:
	case seconds < 0:
		d.sayAt(negativeTime, m.value.Span, m.at, words.New("config.negative_time", "Field", quoted(m.key)),
			words.New("config.negative_time.hint"))
	case seconds > maxSeconds:
		d.sayAt(timeTooLong, m.value.Span, m.at, words.New("config.time_too_long", "Field", quoted(m.key)),
			words.New("config.time_too_long.hint"))
	default:
		limit := time.Duration(seconds * float64(time.Second))
		if limit == 0 && seconds > 0 {
			limit = 1 // not 0, which would mean no limit
		}
		return &limit
	}
	return nil
}

// integer reads an integer within the limits of its field; 0 if it is none.
func (d *diagnoser) integer(f *Field, m member) int {
	number, ok := d.number(f, m)
	if ok && (number < float64(f.Min) || number > float64(f.Max) || number != math.Trunc(number)) {
		d.sayAt(numberOutOfRange, m.value.Span, m.at,
			words.New("config.number_out_of_range", "Field", quoted(m.key), "Least", f.Min, "Most", f.Max), f.Write.Text())
		return 0
	}
	return int(number)
}

// group reads a field that has fields of its own.
func (d *diagnoser) group(e *entry, f *Field, m member) {
	if k := m.value.Kind; k == 't' || k == 'f' { // some clients turn signing in on and off with a boolean
		d.sayAt(groupAsSwitch, m.value.Span, m.at, words.New("config.group_as_switch", "Field", quoted(m.key)),
			f.Write.Text())
		return
	}
	if m.value.Kind != '{' {
		sayWrongType(d, m, '{', f.Write)
		return
	}
	e.OAuth = &OAuth{}
	members := d.members(m.value, m.at)
	for _, part := range members {
		switch inner := fieldNamed(f.Members, part.key); {
		case part.repeated:
			d.onlyDuplicates(part.value, part.at)
		case inner == nil:
			otherGroupMember(d, e, f, part, members)
		default:
			d.field(e, inner, part)
		}
	}
}

// transport determines how a server is reached, and checks that the entry has the required fields.
func (d *diagnoser) transport(e *entry) {
	command, hasCommand := e.member("command")
	url, hasURL := e.member("url")
	given, clear := d.givenTransport(e)
	e.Transport = given
	if given == "" {
		e.Transport = TransportStdio
		if hasURL {
			e.Transport = TransportHTTP
		}
	}
	if hasCommand && hasURL {
		sayCommandAndURL(d, given, command, url)
	}
	if !clear {
		return
	}
	switch {
	case e.Transport == TransportStdio && hasCommand && command.value.Kind == jsonc.String:
		for _, r := range d.rules.program {
			r.program(d, r, e, command)
		}
	case e.Transport != TransportStdio && hasURL && url.value.Kind == jsonc.String && !strings.Contains(e.URL, "${"):
		for _, r := range d.rules.remote {
			r.remote(d, r, e, url)
		}
	}
	switch {
	case e.Transport == TransportStdio && !hasCommand:
		sayNoCommand(d, e, hasURL)
	case e.Transport != TransportStdio && !hasURL:
		sayNoURL(d, e, hasCommand)
	}
	// having both is already reported, and the other fields belong to the command
	if e.Transport == TransportStdio || !hasCommand {
		sayFieldsWithoutEffect(d, e)
	}
}

// givenTransport reads "transport" and "type". given is empty if neither is there. clear is false if they are
// there but cannot be understood.
func (d *diagnoser) givenTransport(e *entry) (given Transport, clear bool) {
	clear = true
	var first member
	fields := ServerFields()
	for i := range fields {
		f := &fields[i]
		if f.Kind != KindTransport {
			continue
		}
		m, ok := e.member(f.Name)
		if !ok {
			continue
		}
		spelling, ok := d.stringOf(m, f.Write)
		if !ok {
			clear = false
			continue
		}
		transport, ok := parseTransport(spelling)
		switch {
		case !ok:
			clear = false
			sayUnknownTransport(d, m, spelling)
		case given == "":
			given, first = transport, m
		case given != transport:
			clear = false
			second := m
			if first.name.Start > m.name.Start {
				second = first
			}
			d.sayAt(transportTwice, second.value.Span, second.at, words.New("config.transport_twice"),
				words.New("config.transport_twice.hint"))
		}
	}
	return given, clear
}
