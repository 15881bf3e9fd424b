package words

import (
	"encoding/json"
	"fmt"
	"strings"
)

// message has the templates of a sentence by plural form, in the format of go-i18n: a string, or an object
// with "one", "other" and so on. Notes for translators ("description", "hash") are also in it and are not
// used.
type message map[string]string

// UnmarshalJSON reads both forms.
func (m *message) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		return json.Unmarshal(data, (*map[string]string)(m))
	}
	var template string
	err := json.Unmarshal(data, &template)
	*m = message{"other": template}
	return err
}

// form returns the template for a number, or for no number.
func (m message) form(tag tag, count *int) string {
	if count == nil || len(m) < 2 {
		return m["other"]
	}
	if template := m[tag.plural(max(*count, -*count))]; template != "" {
		return template
	}
	return m["other"]
}

// fill puts arguments into a template, which may contain {{.Name}}, {{if .Name}}, {{else}} and {{end}}.
// go-i18n uses [text/template] for this, which calls methods by name, so that the linker keeps all methods of
// all types: the headless program would be 3.5 MB larger. A test checks that both give the same results.
func fill(template string, args map[string]any) string {
	if !strings.Contains(template, "{{") {
		return template
	}
	var b strings.Builder
	fillUntilEnd(&b, template, args, true)
	return b.String()
}

// fillUntilEnd fills the template up to the {{else}} or {{end}} of the enclosing {{if}}, and writes the
// result if show is set. It returns that action and the rest.
func fillUntilEnd(b *strings.Builder, template string, args map[string]any, show bool) (action, rest string) {
	for template != "" {
		text, after, _ := strings.Cut(template, "{{")
		if show {
			b.WriteString(text)
		}
		action, template, _ = strings.Cut(after, "}}")
		name, conditional := strings.CutPrefix(action, "if .")
		switch {
		case action == "else" || action == "end":
			return action, template
		case conditional:
			set := isSet(args[name])
			if action, template = fillUntilEnd(b, template, args, show && set); action == "else" {
				_, template = fillUntilEnd(b, template, args, show && !set)
			}
		case action != "" && show:
			fmt.Fprint(b, args[strings.TrimPrefix(action, ".")])
		}
	}
	return "", ""
}

func isSet(value any) bool { return value != nil && value != "" && value != 0 && value != false }
