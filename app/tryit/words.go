package tryit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// TypeWords names the type of a field in a word or two, such as "whole number".
func TypeWords(field *toolform.Field) string {
	switch field.Kind {
	case toolform.KindString, toolform.KindText:
		return formatWords(field.Format)
	case toolform.KindNumber:
		return lang.L("number")
	case toolform.KindInteger:
		return lang.L("whole number")
	case toolform.KindBoolean:
		return lang.L("yes or no")
	case toolform.KindChoice, toolform.KindUnion:
		return lang.L("choice")
	case toolform.KindArray, toolform.KindMap:
		return lang.L("list")
	case toolform.KindObject:
		return lang.L("group of fields")
	}
	return lang.L("JSON")
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
	}
	return lang.L("text")
}

// LimitWords says in which range a number is, or how long a text may be. It is empty if there is no such limit. What
// else a field needs is said when it is not there: see [toolform.Form.Check].
func LimitWords(field *toolform.Field) string {
	switch {
	case field.Minimum != "" && field.Maximum != "":
		return lang.L("From {{.Least}} to {{.Most}}", map[string]any{"Least": field.Minimum, "Most": field.Maximum})
	case field.Minimum != "":
		return lang.L("At least {{.Least}}", map[string]any{"Least": field.Minimum})
	case field.Maximum != "":
		return lang.L("At most {{.Most}}", map[string]any{"Most": field.Maximum})
	case field.MaxLength != toolform.NoLimit:
		return lang.L("At most {{.Most}} characters", map[string]any{"Most": field.MaxLength})
	}
	return ""
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
