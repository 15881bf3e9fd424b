package words

import (
	"encoding/json"
	"fmt"
	"strings"
)

// message has the templates of a sentence by plural form, as go-i18n writes them: a string, or an object with "one", "other" and the
// like. What a translator is told about it ("description", "hash") is among them and unused.
type message map[string]string

// UnmarshalJSON reads either way of writing.
func (m *message) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		return json.Unmarshal(data, (*map[string]string)(m))
	}
	var template string
	err := json.Unmarshal(data, &template)
	*m = message{"other": template}
	return err
}

// form returns the template for a number, or for none.
func (m message) form(tag tag, count *int) string {
	if count == nil || len(m) < 2 {
		return m["other"]
	}
	if template := m[tag.plural(max(*count, -*count))]; template != "" {
		return template
	}
	return m["other"]
}

// fill puts arguments into a template, which may have {{.Name}}, {{if .Name}}, {{else}} and {{end}}. Go-i18n would do it with [text/template],
// which calls methods by their names, so that the linker keeps every method of every type: the headless program would be 3.5 MB
// larger. A test holds that both say the same.
func fill(template string, args map[string]any) string {
	if !strings.Contains(template, "{{") {
		return template
	}
	var b strings.Builder
	fillUntilEnd(&b, template, args, true)
	return b.String()
}

// fillUntilEnd fills the template up to the {{else}} or {{end}} that belongs to what is around it, when it is to be shown, and returns
// that action and the rest.
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
