package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Limits of what a message shows of a value that may be hostile.
const (
	maxProblems = 5  // further ones are counted
	maxQuoted   = 40 // runes of a wrong string
)

// Problem is one finding.
type Problem struct {
	Path    string // for example params.clientInfo.name
	Message string // follows the path in a sentence: "is required", "must be a string, not a number"
}

// Violation is the error of a value that breaks its schema. Problems is never empty and is ordered by
// path.
type Violation struct {
	Problems []Problem
}

// Error names every problem, or the first few when there are many:
// "params.clientInfo.name is required; params.protocolVersion must be …".
func (v *Violation) Error() string {
	shown := v.Problems[:min(len(v.Problems), maxProblems)]
	sentences := make([]string, len(shown), len(shown)+1)
	for i, problem := range shown {
		sentences[i] = problem.Path + " " + problem.Message
	}
	if more := len(v.Problems) - len(shown); more > 0 {
		sentences = append(sentences, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(sentences, "; ")
}

func newViolation(root string, invalid *jsonschema.ValidationError) *Violation {
	v := &Violation{}
	v.collect(root, invalid)
	// The library walks maps, so its order is a different one each time.
	slices.SortFunc(v.Problems, func(a, b Problem) int {
		return strings.Compare(a.Path+" "+a.Message, b.Path+" "+b.Message)
	})
	return v
}

// collect takes the leaves of the library's tree, which say what is wrong; the inner ones only say
// that something below them is.
func (v *Violation) collect(root string, invalid *jsonschema.ValidationError) {
	if len(invalid.Causes) > 0 {
		for _, cause := range invalid.Causes {
			v.collect(root, cause)
		}
		return
	}
	path := pathOf(root, invalid.InstanceLocation)
	switch k := invalid.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			v.Problems = append(v.Problems, Problem{Path: path + "." + name, Message: "is required"})
		}
	default:
		v.Problems = append(v.Problems, Problem{Path: path, Message: sentence(k)})
	}
}

// pathOf writes a location as people write it: tool.inputSchema.required[2]. The schemas name every
// member they look into, so the parts are names from them or numbers of array elements.
func pathOf(root string, location []string) string {
	var path strings.Builder
	path.WriteString(root)
	for _, part := range location {
		if _, err := strconv.Atoi(part); err == nil {
			path.WriteString("[" + part + "]")
			continue
		}
		path.WriteString("." + part)
	}
	return path.String()
}

func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", article(k.Want[0]), article(k.Got))
	case *kind.Const:
		return fmt.Sprintf("must be %s, not %s", display(k.Want), display(k.Got))
	case *kind.Enum:
		names := make([]string, len(k.Want))
		for i, want := range k.Want {
			names[i] = fmt.Sprint(want)
		}
		return fmt.Sprintf("must be one of %s, not %s", strings.Join(names, ", "), display(k.Got))
	case *kind.MinLength:
		return "cannot be empty"
	case *kind.Pattern: // protocolVersion is the one member with a pattern, which the tests hold
		return fmt.Sprintf(`must be a date written YYYY-MM-DD such as "2025-11-25", not %s`, display(k.Got))
	case *kind.Format: // session_id is the one member with a format
		return fmt.Sprintf("must be a UUID, not %s", display(k.Got))
	default:
		return fmt.Sprintf("breaks the rule %q", strings.Join(k.KeywordPath(), " "))
	}
}

// article names a JSON type in a sentence.
func article(jsonType string) string {
	switch jsonType {
	case "object", "array", "integer":
		return "an " + jsonType
	case "null":
		return "null"
	default:
		return "a " + jsonType
	}
}

// display shows a wrong value: strings quoted and cut, since they may be hostile, and of everything
// else the kind alone.
func display(value any) string {
	switch value := value.(type) {
	case string:
		if runes := []rune(value); len(runes) > maxQuoted {
			return strconv.Quote(string(runes[:maxQuoted])) + "…"
		}
		return strconv.Quote(value)
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case nil:
		return "null"
	case bool:
		return "a boolean"
	default:
		return "a number"
	}
}
