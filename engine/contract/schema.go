package contract

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

//go:embed schemas/*.json
var files embed.FS

// Schemas returns the five schema files, named as in README.md, at the root of the file system.
func Schemas() fs.FS {
	sub, err := fs.Sub(files, "schemas")
	if err != nil { // a constant, valid path
		panic(err)
	}
	return sub
}

// schema is a JSON Schema with the keywords that our files use, each with its meaning in draft 2020-12. The tests hold
// that no file has another one, and that a library finds the same. It never changes and may be used by many
// goroutines.
type schema struct {
	Type       string             `json:"type"`
	Const      *string            `json:"const"`
	Enum       []string           `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	MinLength  int                `json:"minLength"` // 0 or 1
	Pattern    *regexp.Regexp     `json:"pattern"`   // one that means the same in Go
	Format     string             `json:"format"`    // "uuid" or none
}

// compile reads one schema file. It panics when that is not a schema, which the tests exclude for every file.
func compile(name string) *schema {
	raw, err := files.ReadFile("schemas/" + name + ".json")
	if err != nil {
		panic(err)
	}
	s := new(schema)
	if err := json.Unmarshal(raw, s); err != nil {
		panic(fmt.Errorf("reading schema %s: %w", name, err))
	}
	return s
}

// validate checks raw, one JSON value, which messages call root. It returns nil or a *Violation.
func (s *schema) validate(raw json.RawMessage, root string) error {
	if len(raw) == 0 {
		return &Violation{Problems: []Problem{{Path: root, Message: "is required"}}}
	}
	value, err := frame(raw)
	if err != nil {
		return &Violation{Problems: []Problem{{Path: root, Message: "is not valid JSON: " + err.Error()}}}
	}
	if problems := s.check(nil, root, value); len(problems) > 0 {
		return newViolation(problems)
	}
	return nil
}

// check adds what is wrong with a value of [frame] to the problems, in no order.
func (s *schema) check(problems []Problem, path string, value any) []Problem {
	wrong := func(want, got string) {
		problems = append(problems, Problem{path, "must be " + want + ", not " + got})
	}
	if got := typeOf(value); s.Type != "" && s.Type != got {
		wrong(article(s.Type), article(got))
		return problems
	}
	text, isText := value.(string)
	switch {
	case s.Const != nil && value != *s.Const:
		wrong(strconv.Quote(*s.Const), display(value))
	case s.Enum != nil && !(isText && slices.Contains(s.Enum, text)):
		wrong("one of "+strings.Join(s.Enum, ", "), display(value))
	case isText && len(text) < s.MinLength:
		problems = append(problems, Problem{path, "cannot be empty"})
	case isText && s.Pattern != nil &&
		!s.Pattern.MatchString(text): // protocolVersion alone has one, which the tests hold
		wrong(`a date written YYYY-MM-DD such as "2025-11-25"`, display(value))
	case isText && s.Format != "" && !isUUID(text):
		wrong("a UUID", display(value))
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, there := value[name]; !there {
				problems = append(problems, Problem{path + "." + name, "is required"})
			}
		}
		for name, member := range s.Properties {
			if value, there := value[name]; there {
				problems = member.check(problems, path+"."+name, value)
			}
		}
	case []any:
		for i, item := range value {
			if s.Items != nil {
				problems = s.Items.check(problems, path+"["+strconv.Itoa(i)+"]", item)
			}
		}
	}
	return problems
}

// isUUID reports whether text is a UUID as RFC 9562 writes it, without braces or a prefix.
func isUUID(text string) bool {
	return len(text) == 36 && uuid.Validate(text) == nil
}

// typeOf returns the JSON type of a value of [frame].
func typeOf(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case nil:
		return "null"
	case bool:
		return "boolean"
	default:
		return "number"
	}
}
