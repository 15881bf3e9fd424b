package paste

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Part is a part of one of an entry's values.
type Part struct {
	Field string // "command", "args", "env", "cwd", "url", "headers" or "oauth"
	Name  string // of the variable, header or member of "oauth"; for an argument the flag that it belongs to, which may be empty
	Index int    // of the argument, the variable or the header in its list
	Text  string // what stands there; empty when the whole value is
}

// Replacement puts With in the place of a part.
type Replacement struct {
	Part
	With string
}

// value finds the string that a part is in; nil when there is none.
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

// Replace returns a copy of an entry with parts of its values replaced. What is not there any more is left alone.
func Replace(server *config.Server, replacements []Replacement) *config.Server {
	s := *server
	s.Args, s.Env, s.Headers = slices.Clone(s.Args), slices.Clone(s.Env), slices.Clone(s.Headers)
	s.ToolFilters = slices.Clone(s.ToolFilters)
	if s.OAuth != nil {
		oauth := *s.OAuth
		s.OAuth = &oauth
	}
	for _, r := range replacements {
		value := r.value(&s)
		switch {
		case value == nil:
		case r.Text == "":
			if *value == "" {
				*value = r.With
			}
		default:
			*value = strings.Replace(*value, r.Text, r.With, 1)
		}
	}
	return &s
}

// Drop returns a copy of an entry without what waits for answers that are not given: the variable, header or argument that has the text of a
// part, and the flag before that argument.
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

// without returns a list without some of its places.
func without[T any](list []T, places []int) []T {
	var kept []T
	for i, value := range list {
		if !slices.Contains(places, i) {
			kept = append(kept, value)
		}
	}
	return kept
}

// Each calls f with every value of an entry and its place. It may change the value.
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
