package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits on what a message shows, since values may be hostile.
const (
	maxProblems = 5  // further ones are counted
	maxQuoted   = 40 // runes of a wrong string
)

// Problem is a part of a value that breaks the schema.
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

// newViolation returns a violation with the problems, which it sorts. It keeps the slice.
func newViolation(problems []Problem) *Violation {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return strings.Compare(a.Path+" "+a.Message, b.Path+" "+b.Message)
	})
	return &Violation{problems}
}

// article returns the name of a JSON type with its article.
func article(jsonType string) string {
	switch jsonType {
	case "object", "array":
		return "an " + jsonType
	case "null":
		return "null"
	default:
		return "a " + jsonType
	}
}

// display returns a value for a message: a string in quotes and shortened, and only the type of other values.
func display(value any) string {
	text, isText := value.(string)
	if !isText {
		return article(typeOf(value))
	}
	if runes := []rune(text); len(runes) > maxQuoted {
		return strconv.Quote(string(runes[:maxQuoted])) + "…"
	}
	return strconv.Quote(text)
}
