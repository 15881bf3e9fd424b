package registry

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// inBraces matches a placeholder in a value.
var inBraces = lazyregexp.New(`\{[A-Za-z_][A-Za-z0-9_.-]{0,80}\}`)

// variable adds a variable or a header.
func (w *Way) variable(field string, list *[]config.Variable, in inputJSON) {
	place := foreign.Part{Field: field, Name: in.Name, Index: len(*list)}
	*list = append(*list, config.Variable{Name: in.Name, Value: w.value(place, in, in.Name)})
}

// argument adds an argument: its flag, if any, and its value as a separate word.
func (w *Way) argument(in inputJSON) {
	s := &w.Entry.Server
	name := ""
	if in.Type == "named" || in.Type == "" && in.Name != "" {
		name = in.Name
	}
	switch {
	case name != "" && in.Format == "boolean" && (in.Value == "" || in.Value == "true"):
		if in.Value == "true" || in.IsRequired || in.Default == "true" {
			s.Args = append(s.Args, name)
		}
		return
	case name != "":
		s.Args = append(s.Args, name)
	}
	label := in.ValueHint
	if label == "" {
		label = strings.TrimLeft(in.Name, "-")
	}
	place := foreign.Part{Field: "args", Name: name, Index: len(s.Args)}
	s.Args = append(s.Args, w.value(place, in, label))
}

// url sets the address.
func (w *Way) url(from *transportJSON) {
	w.Entry.Server.URL = w.value(foreign.Part{Field: "url"},
		inputJSON{Value: strings.TrimSpace(from.URL), Variables: from.Variables}, "")
}

// value returns the value for a place. It adds a blank for each thing to fill in.
func (w *Way) value(place foreign.Part, in inputJSON, label string) string {
	if in.Value == "" {
		place.Text = "<" + visible.Short(strings.Map(wordOnly, label), 60) + ">"
		w.ask(place, in, label)
		return place.Text
	}
	text, asked := in.Value, map[string]bool{}
	for _, found := range inBraces.FindAllString(in.Value, maxInputs) {
		name := strings.Trim(found, "{}")
		v, known := in.Variables[name]
		switch {
		case !known || asked[name]:
		case v.Value != "":
			text = strings.ReplaceAll(text, found, v.Value)
		default:
			for range strings.Count(in.Value, found) {
				place.Text = found
				w.ask(place, v, name)
			}
		}
		asked[name] = true
	}
	return text
}

// wordOnly replaces characters that must not be in a placeholder.
func wordOnly(r rune) rune {
	if strings.ContainsRune("<>{}$", r) {
		return -1
	}
	return r
}

// ask adds a blank, or another place to a blank with the same text.
func (w *Way) ask(place foreign.Part, in inputJSON, label string) {
	for i := range w.Entry.Blanks {
		if b := &w.Entry.Blanks[i]; b.Parts[0].Text == place.Text && b.Parts[0].Field == place.Field &&
			b.Parts[0].Index == place.Index {
			b.Parts = append(b.Parts, place)
			return
		}
	}
	b := foreign.Blank{
		Parts:    []foreign.Part{place},
		Kind:     w.kindOf(in, label),
		Label:    words.Foreign(visible.Short(label, 80)),
		Optional: !in.IsRequired && place.Field != "url",
		Default:  visible.Short(in.Default, 500),
	}
	if b.Label.String() == "" {
		b.Label = words.New("registry.value")
	}
	if strings.Contains(b.Default, "${") || b.Kind == foreign.KindSecret {
		b.Default = "" // a reference would pass on a value of the user unseen
	}
	if (b.Kind == foreign.KindFolder || b.Kind == foreign.KindFile) && othersFolder.MatchString(b.Default) {
		b.Default = "" // a folder of the publisher
	}
	hint := visible.Short(in.Description, 300)
	if example := visible.Short(in.Placeholder, 80); example != "" {
		hint = strings.TrimSpace(hint + " (" + example + ")")
	}
	if hint != "" {
		b.Hint = words.Foreign(hint)
	}
	if b.Kind == foreign.KindChoice {
		for _, choice := range in.Choices[:min(len(in.Choices), maxInputs)] {
			if choice = visible.Short(choice, 200); choice != "" && !strings.Contains(choice, "${") {
				b.Options = append(b.Options, choice)
			}
		}
	}
	w.Entry.Blanks = append(w.Entry.Blanks, b)
}

// othersFolder matches paths in somebody's home folder.
var othersFolder = lazyregexp.New(`^(?i:/Users/|/home/|[a-z]:\\Users\\)`)

// kindOf returns the kind of a blank. For a container, a folder is usually one inside the container.
func (w *Way) kindOf(in inputJSON, label string) foreign.Kind {
	about := strings.ToLower(label + " " + in.Description)
	folder := strings.Contains(about, "folder") || strings.Contains(about, "directory") ||
		strings.Contains(strings.ToLower(label), "dir")
	switch {
	case in.IsSecret:
		return foreign.KindSecret
	case len(in.Choices) > 0:
		return foreign.KindChoice
	case in.Format == "filepath" && (folder || w.Kind == KindOCI), folder && w.Kind != KindOCI && w.Kind != KindRemote:
		return foreign.KindFolder
	case in.Format == "filepath":
		return foreign.KindFile
	}
	return foreign.KindText
}
