package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Part is a part of a value in an entry.
type Part struct {
	Field string // "command", "args", "env", "cwd", "url", "headers" or "oauth"
	Name  string // of the variable, header or member of "oauth"; for an argument, the flag that it belongs to, or empty
	Index int    // of the argument, variable or header in its list
	Text  string // the text of the part; empty for the whole value
	// the offset of Text in the value, in bytes, since a short text may occur twice. If Text is not there, its first
	// occurrence is meant
	Start int
}

// Replacement puts With in the place of a part.
type Replacement struct {
	Part
	With string
}

// value returns the string that contains a part; nil if there is none.
func (p Part) value(s *config.Server) *string {
	switch p.Field {
	case "command":
		return &s.Command
	case "cwd":
		return &s.Cwd
	case "url":
		return &s.URL
	case "args":
		if p.Index >= 0 && p.Index < len(s.Args) {
			return &s.Args[p.Index]
		}
	case "env":
		if p.Index >= 0 && p.Index < len(s.Env) && s.Env[p.Index].Name == p.Name {
			return &s.Env[p.Index].Value
		}
	case "headers":
		if p.Index >= 0 && p.Index < len(s.Headers) && s.Headers[p.Index].Name == p.Name {
			return &s.Headers[p.Index].Value
		}
	case "oauth":
		switch {
		case s.OAuth == nil:
		case p.Name == "clientId":
			return &s.OAuth.ClientID
		case p.Name == "clientSecret":
			return &s.OAuth.ClientSecret
		}
	}
	return nil
}

// Replace returns a copy of an entry with parts of its values replaced. All parts are those of the original
// entry. A part that no longer exists is skipped.
func Replace(server *config.Server, replacements []Replacement) *config.Server {
	s := *server
	s.Args, s.Env, s.Headers = slices.Clone(s.Args), slices.Clone(s.Env), slices.Clone(s.Headers)
	s.ToolFilters = slices.Clone(s.ToolFilters)
	if s.OAuth != nil {
		oauth := *s.OAuth
		s.OAuth = &oauth
	}
	for value, changes := range changes(&s, replacements) {
		for _, c := range slices.Backward(changes) {
			*value = (*value)[:c.start] + c.with + (*value)[c.end:]
		}
	}
	return &s
}

// Moved returns where a part of an entry is after [Replace] has replaced other parts.
func Moved(server *config.Server, part Part, replacements []Replacement) Part {
	before := part.Start
	for _, c := range changes(server, replacements)[part.value(server)] {
		if c.end <= before {
			part.Start += len(c.with) - (c.end - c.start)
		}
	}
	return part
}

// change is one replacement within a value.
type change struct {
	start, end int
	with       string
}

// changes returns the changes to each value of an entry, in order and without overlaps.
func changes(server *config.Server, replacements []Replacement) map[*string][]change {
	all := map[*string][]change{}
	for _, r := range replacements {
		value := r.value(server)
		if value == nil || r.Text == "" && *value != "" {
			continue
		}
		if start, ok := r.find(*value, all[value]); ok {
			all[value] = append(all[value], change{start, start + len(r.Text), r.With})
			slices.SortFunc(all[value], func(a, b change) int { return cmp.Compare(a.start, b.start) })
		}
	}
	return all
}

// find returns the offset of a part's text in its value: Start if the text is there, else the first
// occurrence that no other change overlaps.
func (p Part) find(value string, taken []change) (start int, ok bool) {
	free := func(start int) bool {
		return !slices.ContainsFunc(taken, func(c change) bool {
			return start <= c.start && c.start < start+max(len(p.Text), 1) || c.start <= start && start < c.end
		})
	}
	if p.Start < len(value) && strings.HasPrefix(value[p.Start:], p.Text) && free(p.Start) {
		return p.Start, true
	}
	for at := 0; at <= len(value); at++ {
		next := strings.Index(value[at:], p.Text)
		if next < 0 {
			break
		}
		if at += next; free(at) {
			return at, true
		}
	}
	return 0, false
}

// Drop returns a copy of an entry without the variables, headers and arguments that contain one of parts, and
// without the flag before such an argument. It is used for blanks without an answer.
func Drop(server *config.Server, parts []Part) *config.Server {
	s := Replace(server, nil)
	gone := func(p Part) bool {
		value := p.value(s)
		return value != nil && p.Text != "" && strings.Contains(*value, p.Text)
	}
	var args, env, headers []int
	for _, p := range parts {
		switch {
		case !gone(p):
		case p.Field == "args":
			args = append(args, p.Index)
			if p.Name != "" && p.Index > 0 && s.Args[p.Index-1] == p.Name {
				args = append(args, p.Index-1)
			}
		case p.Field == "env":
			env = append(env, p.Index)
		case p.Field == "headers":
			headers = append(headers, p.Index)
		}
	}
	s.Args, s.Env, s.Headers = without(s.Args, args), without(s.Env, env), without(s.Headers, headers)
	return s
}

// without returns a list without the elements at some indexes.
func without[T any](list []T, places []int) []T {
	var kept []T
	for i, value := range list {
		if !slices.Contains(places, i) {
			kept = append(kept, value)
		}
	}
	return kept
}

// Each calls f with each value of an entry and its place. f may change the value.
func Each(s *config.Server, f func(place Part, value *string)) {
	f(Part{Field: "command"}, &s.Command)
	flag := ""
	for i := range s.Args {
		name := ""
		switch arg := s.Args[i]; {
		case strings.HasPrefix(arg, "-"):
			flag, _, _ = strings.Cut(arg, "=")
			name = flag
			if strings.Contains(arg, "=") {
				flag = ""
			}
		default:
			name, flag = flag, ""
		}
		f(Part{Field: "args", Name: name, Index: i}, &s.Args[i])
	}
	for i := range s.Env {
		f(Part{Field: "env", Name: s.Env[i].Name, Index: i}, &s.Env[i].Value)
	}
	f(Part{Field: "cwd"}, &s.Cwd)
	f(Part{Field: "url"}, &s.URL)
	for i := range s.Headers {
		f(Part{Field: "headers", Name: s.Headers[i].Name, Index: i}, &s.Headers[i].Value)
	}
	if s.OAuth != nil {
		f(Part{Field: "oauth", Name: "clientId"}, &s.OAuth.ClientID)
		f(Part{Field: "oauth", Name: "clientSecret"}, &s.OAuth.ClientSecret)
	}
}
