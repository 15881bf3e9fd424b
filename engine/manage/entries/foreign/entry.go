package foreign

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// translation turns the entry of another product into one of ours.
type translation struct {
	Entry
	inputs Inputs
	rows   map[string]func(*translation, member)
	given  string              // the transport that the text states
	from   map[string][]string // the members that each field came from
	names  []named             // the names that the entry gives its server

	ofUsers []member // the values that LibreChat asks its users for
}

// entry translates one server's object and adds it. The name may be empty.
func (p *parser) entry(at Place, inputs Inputs) { p.entryOf(at, scope{inputs: inputs}) }

// entryOf is entry for an object in a scope.
func (p *parser) entryOf(at Place, s scope) {
	if p.rows == nil {
		p.rows = spelled()
	}
	t := &translation{inputs: s.inputs, rows: p.rows, from: map[string][]string{}}
	t.At = at
	t.read(at.Value, "")
	t.given = cmp.Or(t.given, s.given)
	name := t.called(strings.TrimSpace(inLine(at.Name)))
	t.tidyTransport()
	t.tidyCommand()
	t.askUser()
	t.noteLeft()
	if at.Twice {
		t.note(words.New("foreign.twice"))
	}
	p.add(name, t)
}

// inLine returns a name without the characters that are invisible or that a terminal interprets.
func inLine(name string) string {
	return strings.Join(strings.FieldsFunc(name, visible.Hidden), " ")
}

// called returns the name of the server: that by which the text calls the entry, or the best of those in the
// entry.
func (t *translation) called(name string) string {
	best := named{name: name}
	slices.SortStableFunc(t.names, func(a, b named) int { return cmp.Compare(a.rank, b.rank) })
	for _, n := range t.names {
		if best.name == "" && plausibleName(n.name) {
			best = n
		}
	}
	for _, n := range t.names {
		if fold(n.name) != fold(best.name) {
			t.leave(n.path, words.New("foreign.called", "Name", shown(best.name)))
		}
	}
	return best.name
}

// add suggests a name and adds the entry.
func (p *parser) add(name string, t *translation) {
	if strings.TrimSpace(t.Server.Command) == "" && t.Server.URL == "" {
		p.refuse(words.New("foreign.no_program"), words.New("foreign.hint_whole_entry"))
		if t.At.Value != nil {
			p.leave(t.At, words.New("foreign.no_command"))
		}
		return
	}
	if name == "" || !plausibleName(name) {
		name = suggest(&t.Server)
	}
	t.Server.Name = name
	for id := range t.Entry.inputs(t.inputs) {
		p.asked[id] = true
	}
	p.entries = append(p.entries, t.Entry)
}

// inputs records, until blanks are searched, what is known about the values that are asked for. It returns
// their ids.
func (e *Entry) inputs(known Inputs) map[string]bool {
	ids := map[string]bool{}
	Each(&e.Server, func(place Part, value *string) {
		for _, m := range inputReference.FindAllStringSubmatch(*value, -1) {
			ids[m[1]] = true
			e.ask(place, m[0], m[1], known[m[1]])
		}
	})
	return ids
}

// read reads the members of an entry, or of a group in it. prefix is where they stand.
func (t *translation) read(n *jsonc.Node, prefix string) {
	for _, m := range t.members(prefix, n) {
		switch take := t.rows[fold(m.Key)]; {
		case take == nil && timeLimit.MatchString(fold(m.Key)):
			t.leave(m.path, words.New("foreign.time_limit"))
		case take == nil:
			t.leave(m.path, words.Text{})
		case m.Kind != jsonc.Null:
			take(t, m)
		}
	}
}

// members returns the members of an object, each name once: the last one counts, as in most programs, and the
// others are left out. prefix is where they stand.
func (t *translation) members(prefix string, n *jsonc.Node) []member {
	list := last(n)
	all := make([]member, len(list))
	for i, m := range list {
		all[i] = member{m, prefix + m.Key}
	}
	if len(list) < len(members(n)) {
		counts := map[*jsonc.Node]bool{}
		for _, m := range list {
			counts[m] = true
		}
		for _, m := range members(n) {
			if !counts[m] {
				t.leave(prefix+m.Key, words.New("foreign.twice"))
			}
		}
	}
	return all
}

// text takes a member that is a text for a field. If the field has another value already, the member is left
// out.
func (t *translation) text(field string, to *string, m member) {
	text, ok := textOf(m.Node)
	text = strings.TrimSpace(text)
	switch {
	case m.Kind != jsonc.String && (m.Kind != jsonc.Object || !ok):
		t.leave(m.path, words.New("foreign.no_text"))
	case text == "" || text == *to:
	case *to != "":
		t.leave(m.path, t.said(field))
	default:
		*to = text
		t.took(field, m)
	}
}

// said returns the reason for leaving out a member whose field has another value already.
func (t *translation) said(field string) words.Text {
	if len(t.from[field]) == 0 {
		return saidBy(field)
	}
	return saidBy(t.from[field][0])
}

func saidBy(path string) words.Text { return words.New("foreign.said_already", "Name", shown(path)) }

// took records which member a field came from.
func (t *translation) took(field string, m member) { t.from[field] = append(t.from[field], m.path) }

// tidyCommand splits a command that contains its arguments, and removes what only shells and terminals need.
func (t *translation) tidyCommand() {
	s := &t.Server
	if s.Transport != config.TransportStdio {
		return
	}
	if inShell(s) {
		t.note(words.New("foreign.in_shell", "Shell", shown(s.Command+" "+s.Args[0])))
	}
	t.assignments()
	if argv := split(s.Command); len(argv) > 1 && !exists(s.Command) && (len(s.Args) == 0 || launcher.Known(argv[0])) &&
		(launcher.Known(argv[0]) || !strings.ContainsAny(s.Command, `/\`)) {
		s.Command, s.Args = argv[0], append(argv[1:], s.Args...)
		t.note(words.New("foreign.split"))
	} else if program := config.ProgramOf(s.Command); program != s.Command && len(s.Args) == 0 && !exists(s.Command) {
		s.Command, s.Args = program, wordsOf(s.Command[len(program):])
		t.note(words.New("foreign.split"))
	}
	for len(s.Args) > 1 && launcher.Is(s.Command, launcher.WindowsShell) && strings.EqualFold(s.Args[0], "/c") {
		rest := s.Args[1:]
		if len(rest) == 1 {
			rest = alone(rest[0])
		}
		if len(rest) == 0 || !launcher.Known(rest[0]) {
			break
		}
		s.Command, s.Args = rest[0], rest[1:]
		t.note(words.New("foreign.cmd_c"))
	}
	if runner := launcher.Base(s.Command); runner == "npx" || runner == "bunx" {
		for i, arg := range s.Args {
			if strings.HasPrefix(arg, "@modelcontextprotocol/inspector") && i+1 < len(s.Args) && launcher.Known(s.Args[i+1]) {
				s.Command, s.Args = s.Args[i+1], s.Args[i+2:]
				t.note(words.New("foreign.inspector"))
				break
			}
		}
	}
	t.tidyDocker()
	if tidyDashes(s) {
		t.note(words.New("foreign.dashes"))
	}
}

// tidyDashes writes options with "-" whose dashes a word processor has made one long dash. It reports whether there
// are any.
func tidyDashes(s *config.Server) (changed bool) {
	for i, arg := range s.Args {
		m := longDash.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		dashes := "--"
		if len(m[1]) == 1 {
			dashes = "-"
		}
		s.Args[i], changed = dashes+m[1]+arg[len(m[0]):], true
	}
	return changed
}

// longDash matches a long dash before the name of an option.
var longDash = lazyregexp.New(`^[—–]([A-Za-z][A-Za-z0-9-]*)`)

// inShell lets a shell read a command line that is more than one command, or does something with the output of one. It
// reports whether it is such a line.
func inShell(s *config.Server) bool {
	if len(s.Args) > 0 || !strings.ContainsAny(s.Command, ";&|<>\n") || alone(s.Command) != nil || exists(s.Command) {
		return false
	}
	first := slices.DeleteFunc(split(s.Command), assigned.MatchString)
	switch {
	case len(first) == 0:
		return false
	case first[0] == "set":
		s.Command, s.Args = "cmd", []string{"/c", s.Command}
	case launcher.Known(first[0]) || slices.Contains([]string{"cd", "exec", "export", "source", "."}, first[0]):
		s.Command, s.Args = "sh", []string{"-c", s.Command}
	default:
		return false
	}
	return true
}

// assignments moves the variables before a command, which only a shell sets, to the environment.
func (t *translation) assignments() {
	s := &t.Server
	if !assigned.MatchString(s.Command) || exists(s.Command) {
		return
	}
	argv := append(split(s.Command), s.Args...)
	var set []config.Variable
	for len(argv) > 0 {
		name, value, ok := assignment(argv[0])
		if !ok {
			break
		}
		set, argv = append(set, config.Variable{Name: name, Value: value}), argv[1:]
	}
	if len(argv) == 0 {
		return
	}
	for _, v := range set {
		s.Env = slices.DeleteFunc(s.Env, func(old config.Variable) bool { return old.Name == v.Name })
		s.Env = append(s.Env, v)
	}
	s.Command, s.Args = argv[0], slices.Clone(argv[1:])
	t.note(words.New("foreign.variables_before", "Field", shown("env")))
}

// exists reports whether a command is the path of a file of this computer, and therefore no command line.
func exists(command string) bool {
	if !filepath.IsAbs(command) {
		return false
	}
	info, err := os.Stat(command)
	return err == nil && !info.IsDir()
}
