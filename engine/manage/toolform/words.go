package toolform

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxWords is how long a message may be, in characters. It may quote the server.
const maxWords = 200

// words says a violation as the rest of a sentence that begins with the field; empty when it only holds others.
func words(violation jsonschema.ErrorKind) string {
	switch k := violation.(type) {
	case *kind.Type:
		return "must be " + typeNames(k.Want)
	case *kind.Enum:
		return "must be one of " + list(k.Want)
	case *kind.Const:
		return "must be " + list([]any{k.Want})
	case *kind.Format:
		return "must be " + formatName(k.Want)
	case *kind.Pattern:
		return short("must match the pattern " + k.Want)
	case *kind.Minimum:
		return "must be at least " + ratio(k.Want)
	case *kind.Maximum:
		return "must be at most " + ratio(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + ratio(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + ratio(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + ratio(k.Want)
	case *kind.MinLength:
		return "must have at least " + count(k.Want, "character", "characters")
	case *kind.MaxLength:
		return "must have at most " + count(k.Want, "character", "characters")
	case *kind.MinItems:
		return "needs at least " + count(k.Want, "entry", "entries")
	case *kind.MaxItems:
		return "may have at most " + count(k.Want, "entry", "entries")
	case *kind.AdditionalItems:
		return "has too many entries"
	case *kind.UniqueItems:
		return fmt.Sprintf("has the same entry twice: %d and %d", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.MinProperties:
		return "needs at least " + count(k.Want, "field", "fields")
	case *kind.MaxProperties:
		return "may have at most " + count(k.Want, "field", "fields")
	case *kind.AdditionalProperties:
		return short("has what the tool does not know: " + quoted(k.Properties))
	case *kind.PropertyNames:
		return short("has a name that the tool does not allow: " + strconv.Quote(k.Property))
	case *kind.Dependency:
		return short(fmt.Sprintf("needs %s too, because %q is given", quoted(k.Missing), k.Prop))
	case *kind.DependentRequired:
		return short(fmt.Sprintf("needs %s too, because %q is given", quoted(k.Missing), k.Prop))
	case *kind.MaxContains:
		return "has too many entries of one sort"
	case *kind.Not:
		return "is something that the tool rules out"
	case *kind.FalseSchema:
		return "must be left out"
	case *kind.ContentEncoding, *kind.ContentMediaType, *kind.ContentSchema:
		return "does not hold what the tool expects"
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return "cannot be checked"
	}
	return ""
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func quoted(names []string) string {
	names = slices.Sorted(slices.Values(names)) // they come in no order
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	return strings.Join(names, ", ")
}

func list(values []any) string {
	var words []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			words = append(words, strconv.Quote(text))
		} else if text, err := json.Marshal(value); err == nil {
			words = append(words, string(text))
		}
		if len(words) >= 12 {
			words = append(words, "…")
			break
		}
	}
	return short(strings.Join(words, ", "))
}

func typeNames(types []string) string {
	var words []string
	for _, name := range types {
		switch name {
		case "string":
			name = "text"
		case "number":
			name = "a number"
		case "integer":
			name = "a whole number"
		case "boolean":
			name = "true or false"
		case "array":
			name = "a list"
		case "object":
			name = "a group of fields"
		case "null":
			name = "nothing (null)"
		}
		words = append(words, name)
	}
	return strings.Join(words, " or ")
}

func formatName(format string) string {
	switch format {
	case "date":
		return "a date, such as 2026-01-31"
	case "time":
		return "a time, such as 14:30:00Z"
	case "date-time":
		return "a date and time, such as 2026-01-31T14:30:00Z"
	case "duration":
		return "a duration, such as PT15M"
	case "uri", "iri", "url":
		return "an address, such as https://example.com"
	case "email", "idn-email":
		return "an e-mail address"
	case "uuid":
		return "a UUID, such as 123e4567-e89b-12d3-a456-426614174000"
	case "ipv4", "ipv6":
		return "an IP address"
	case "hostname", "idn-hostname":
		return "the name of a computer"
	case "regex":
		return "a regular expression"
	}
	return short("of the format " + strconv.Quote(format))
}

// ratio writes a limit as people do.
func ratio(r *big.Rat) string {
	if r.IsInt() {
		return short(r.Num().String())
	}
	text := strings.TrimRight(r.FloatString(12), "0")
	return strings.TrimSuffix(text, ".")
}

// short cuts a text that quotes the server.
func short(text string) string {
	if runes := []rune(text); len(runes) > maxWords {
		return string(runes[:maxWords]) + "…"
	}
	return text
}
