package tryit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// TypeWords describes the type of a field in a few words, such as "whole number" or "list of text".
func TypeWords(field *toolform.Field) string {
	words := kindWords(field)
	if field.Nullable {
		return lang.L("{{.Type}} or nothing", map[string]any{"Type": words})
	}
	return words
}

func kindWords(field *toolform.Field) string {
	switch field.Kind {
	case toolform.KindString, toolform.KindText:
		return formatWords(field.Format)
	case toolform.KindNumber:
		return lang.L("number")
	case toolform.KindInteger:
		return lang.L("whole number")
	case toolform.KindBoolean:
		return lang.L("yes or no")
	case toolform.KindChoice:
		if len(field.Options) == 1 {
			return lang.L("always {{.Value}}", map[string]any{"Value": kit.Cut(field.Options[0].Title, 40)})
		}
		return lang.L("one of a choice")
	case toolform.KindArray:
		return lang.L("list of {{.Type}}", map[string]any{"Type": listWords(field.Item)})
	case toolform.KindMap:
		return lang.L("names, each with {{.Type}}", map[string]any{"Type": kindWords(field.Item)})
	case toolform.KindObject:
		return lang.L("group of fields")
	case toolform.KindUnion:
		var words []string
		for _, alternative := range field.Alternatives {
			word := kit.Cut(alternative.Title, 40)
			if word == "" {
				word = TypeWords(alternative)
			}
			words = append(words, word)
		}
		return strings.Join(words, lang.L(" or "))
	case toolform.KindNull:
		return lang.L("nothing")
	}
	if field.Odd {
		return lang.L("written as JSON")
	}
	return lang.L("anything")
}

// listWords describes the items of a list.
func listWords(field *toolform.Field) string {
	switch field.Kind {
	case toolform.KindNumber:
		return lang.L("numbers")
	case toolform.KindInteger:
		return lang.L("whole numbers")
	case toolform.KindObject:
		return lang.L("groups of fields")
	}
	return kindWords(field)
}

func formatWords(format string) string {
	switch format {
	case "date":
		return lang.L("date")
	case "time":
		return lang.L("time")
	case "date-time":
		return lang.L("date and time")
	case "uri", "url", "iri":
		return lang.L("web address")
	case "email":
		return lang.L("e-mail address")
	case "uuid":
		return lang.L("identifier (UUID)")
	}
	return lang.L("text")
}

// LimitWords describes the limits of a field, such as "From 1 to 10". It is empty if there are none.
func LimitWords(field *toolform.Field) string {
	var words []string
	add := func(text string) { words = append(words, text) }
	switch {
	case field.Minimum != "" && field.Maximum != "":
		add(lang.L("From {{.Least}} to {{.Most}}", map[string]any{"Least": field.Minimum, "Most": field.Maximum}))
	case field.Minimum != "":
		add(lang.L("At least {{.Least}}", map[string]any{"Least": field.Minimum}))
	case field.Maximum != "":
		add(lang.L("At most {{.Most}}", map[string]any{"Most": field.Maximum}))
	}
	if field.Above != "" {
		add(lang.L("More than {{.Least}}", map[string]any{"Least": field.Above}))
	}
	if field.Below != "" {
		add(lang.L("Less than {{.Most}}", map[string]any{"Most": field.Below}))
	}
	if field.MultipleOf != "" {
		add(lang.L("A multiple of {{.Number}}", map[string]any{"Number": field.MultipleOf}))
	}
	switch least, most := field.MinLength > 0, field.MaxLength != toolform.NoLimit; {
	case least && most:
		add(lang.L("{{.Least}} to {{.Most}} characters", map[string]any{"Least": field.MinLength, "Most": field.MaxLength}))
	case least && field.MinLength > 1:
		add(lang.L("At least {{.Least}} characters", map[string]any{"Least": field.MinLength}))
	case most:
		add(lang.L("At most {{.Most}} characters", map[string]any{"Most": field.MaxLength}))
	}
	switch least, most := field.MinItems > 0, field.MaxItems != toolform.NoLimit; {
	case least && most:
		add(lang.L("{{.Least}} to {{.Most}} entries", map[string]any{"Least": field.MinItems, "Most": field.MaxItems}))
	case least:
		add(lang.L("At least {{.Least}} in the list", map[string]any{"Least": field.MinItems}))
	case most:
		add(lang.L("At most {{.Most}} in the list", map[string]any{"Most": field.MaxItems}))
	}
	if field.Unique {
		add(lang.L("No duplicates"))
	}
	if field.Pattern != "" {
		add(lang.L("Pattern {{.Pattern}}", map[string]any{"Pattern": kit.Cut(field.Pattern, 60)}))
	}
	return strings.Join(words, " · ")
}

// capital returns text with its first letter as a capital.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// clean makes text safe to show: it removes control characters other than line breaks and characters that change the
// direction of writing, and it replaces tabs by spaces. It cuts text after most bytes and reports whether all of it is
// left.
func clean(text string, most int) (_ string, all bool) {
	all = len(text) <= most
	if !all {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return kit.Block(strings.ReplaceAll(text, "\t", "    ")), all
}
