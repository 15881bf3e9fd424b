package toolform

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxWords is the longest message, in characters. It may quote the server.
const maxWords = 200

// violated describes a violation in a sentence; empty if it only groups other violations.
func violated(violation jsonschema.ErrorKind) words.Text {
	switch k := violation.(type) {
	case *kind.Type:
		return ofType(k.Want)
	case *kind.Enum:
		return words.New("toolform.must_be_one_of", "Values", list(k.Want))
	case *kind.Const:
		return words.New("toolform.must_be", "What", list([]any{k.Want}))
	case *kind.Format:
		return ofFormat(k.Want)
	case *kind.Pattern:
		return words.New("toolform.pattern", "Pattern", cut(k.Want))
	case *kind.Minimum:
		return words.New("toolform.at_least", "Limit", ratio(k.Want))
	case *kind.Maximum:
		return words.New("toolform.at_most", "Limit", ratio(k.Want))
	case *kind.ExclusiveMinimum:
		return words.New("toolform.more_than", "Limit", ratio(k.Want))
	case *kind.ExclusiveMaximum:
		return words.New("toolform.less_than", "Limit", ratio(k.Want))
	case *kind.MultipleOf:
		return words.New("toolform.multiple", "Limit", ratio(k.Want))
	case *kind.MinLength:
		return words.New("toolform.min_length", "Count", k.Want)
	case *kind.MaxLength:
		return words.New("toolform.max_length", "Count", k.Want)
	case *kind.MinItems:
		return words.New("toolform.min_items", "Count", k.Want)
	case *kind.MaxItems:
		return words.New("toolform.max_items", "Count", k.Want)
	case *kind.AdditionalItems:
		return words.New("toolform.too_many_entries")
	case *kind.UniqueItems:
		return words.New("toolform.entry_twice", "One", k.Duplicates[0]+1, "Other", k.Duplicates[1]+1)
	case *kind.MinProperties:
		return words.New("toolform.min_fields", "Count", k.Want)
	case *kind.MaxProperties:
		return words.New("toolform.max_fields", "Count", k.Want)
	case *kind.AdditionalProperties:
		return words.New("toolform.unknown", "Names", quoted(k.Properties))
	case *kind.PropertyNames:
		return words.New("toolform.bad_name", "Name", words.Quoted(cut(k.Property)))
	case *kind.Dependency:
		return words.New("toolform.needs_too", "Names", quoted(k.Missing), "Because", words.Quoted(cut(k.Prop)))
	case *kind.DependentRequired:
		return words.New("toolform.needs_too", "Names", quoted(k.Missing), "Because", words.Quoted(cut(k.Prop)))
	case *kind.MaxContains:
		return words.New("toolform.too_many_of_a_sort")
	case *kind.Not:
		return words.New("toolform.ruled_out")
	case *kind.FalseSchema:
		return words.New("toolform.left_out")
	case *kind.ContentEncoding, *kind.ContentMediaType, *kind.ContentSchema:
		return words.New("toolform.content")
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return words.New("toolform.unchecked")
	}
	return words.Text{}
}

// maxNamed is how many values a message names, and maxName how long each may be, in characters.
const (
	maxNamed = 12
	maxName  = 60
)

func quoted(names []string) words.Text {
	names = slices.Sorted(slices.Values(names)) // their order is random
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return list(values)
}

// list names values: texts in quotation marks, others as JSON.
func list(values []any) words.Text {
	var texts []words.Text
	for i, value := range values {
		if i == maxNamed {
			texts = append(texts, words.Foreign("…"))
			break
		}
		if text, ok := value.(string); ok {
			texts = append(texts, words.Quoted(visible.Cut(text, maxName)))
		} else if text, err := json.Marshal(value); err == nil {
			texts = append(texts, words.Foreign(visible.Cut(string(text), maxName)))
		}
	}
	return words.List(texts...)
}

// ofType says of which kind a value must be. That it may be left out, too, nobody needs to know.
func ofType(types []string) words.Text {
	known := map[string]words.Code{
		"string": "toolform.type_text", "number": "toolform.type_number", "integer": "toolform.type_integer",
		"boolean": "toolform.type_boolean",
		"array":   "toolform.type_list", "object": "toolform.type_object", "null": "toolform.type_null",
	}
	if len(types) > 1 {
		types = slices.DeleteFunc(slices.Clone(types), func(name string) bool { return name == "null" })
	}
	if len(types) == 1 && known[types[0]] != "" {
		return known[types[0]].Text()
	}
	return words.New("toolform.type_other")
}

// ofFormat says what a text must be.
func ofFormat(format string) words.Text {
	known := map[string]words.Code{
		"date": "toolform.format_date", "time": "toolform.format_time", "date-time": "toolform.format_date_time",
		"duration": "toolform.format_duration",
		"uri":      "toolform.format_address", "iri": "toolform.format_address", "url": "toolform.format_address",
		"email": "toolform.format_email", "idn-email": "toolform.format_email", "uuid": "toolform.format_uuid",
		"ipv4": "toolform.format_ip", "ipv6": "toolform.format_ip", "regex": "toolform.format_regex",
		"hostname": "toolform.format_host", "idn-hostname": "toolform.format_host",
	}
	if code, ok := known[format]; ok {
		return code.Text()
	}
	return words.New("toolform.format_other", "Format", words.Quoted(cut(format)))
}

// ratio returns a limit as people write it.
func ratio(r *big.Rat) string {
	if r.IsInt() {
		return cut(r.Num().String())
	}
	text := strings.TrimRight(r.FloatString(12), "0")
	return strings.TrimSuffix(text, ".")
}

// cut shortens a text that quotes the server.
func cut(text string) string { return visible.Cut(text, maxWords) }
