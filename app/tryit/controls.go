package tryit

import (
	"encoding/json"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// onRunKeys returns a handler of shortcuts that calls run on Ctrl+Enter.
func onRunKeys(run func()) func(fyne.Shortcut) bool {
	return kit.OnKeys(run, fyne.KeyReturn, fyne.KeyEnter)
}

// newInput returns a line of text in which Ctrl+Enter runs the tool.
func newInput(placeholder string, run func()) *kit.Input {
	i := kit.NewInput(placeholder)
	i.OnShortcut = onRunKeys(run)
	return i
}

// control returns the control for the value.
func (p *part) control() fyne.CanvasObject {
	value := p.value
	if value.Raw || value.Field.Kind == toolform.KindRaw {
		return p.rawControl()
	}
	switch value.Field.Kind {
	case toolform.KindObject:
		return p.group()
	case toolform.KindArray:
		if p.form.asked && picked(value.Field) {
			return p.ticks()
		}
		return p.list()
	case toolform.KindMap:
		return p.list()
	case toolform.KindUnion:
		return p.union()
	case toolform.KindNull:
		return kit.NewText(lang.L("No arguments."), kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	case toolform.KindBoolean:
		return p.withButtons(p.check())
	case toolform.KindChoice:
		return p.withButtons(p.choice())
	}
	return p.withButtons(p.text())
}

// withButtons returns the control with buttons beside it: one that makes the value null and one that leaves it out,
// where these are possible.
func (p *part) withButtons(control fyne.CanvasObject) fyne.CanvasObject {
	value := p.value
	var buttons []fyne.CanvasObject
	if value.Field.Nullable {
		null := kit.NewCheck(lang.L("Nothing (null)"), nil)
		null.Checked = value.Null
		null.OnChanged = func(on bool) {
			value.Null, value.Set = on, on || value.Field.Required || value.Text != ""
			p.rebuild()
		}
		buttons = append(buttons, null)
	}
	if !value.Field.Required && value.Field.Name != "" {
		p.clear = kit.NewIconButton(base.ContentClearIcon(), lang.L("Clear"), func() {
			value.Clear()
			p.rebuild()
			p.touched = false
		})
		buttons = append(buttons, p.clear)
	}
	if disabled, ok := control.(fyne.Disableable); ok && value.Null {
		disabled.Disable()
	}
	if len(buttons) == 0 {
		return control
	}
	return kit.Row(kit.GapTight, append([]fyne.CanvasObject{kit.Rest(control)}, buttons...)...)
}

// text returns an input for text or numbers.
func (p *part) text() fyne.CanvasObject {
	value := p.value
	typed := func(text string) {
		value.Text = text
		value.Preset = false
		// An empty field is left out. An empty text is written as JSON.
		value.Set = text != ""
		p.form.edited(p)
	}
	hint := placeholder(value.Field)
	if p.form.asked && hides(value.Field) {
		return p.hidden(hint, typed)
	}
	if value.Field.Kind == toolform.KindText || strings.Contains(value.Text, "\n") {
		area := kit.NewTextArea(3, false)
		area.SetPlaceHolder(hint)
		area.SetText(value.Text)
		area.OnChanged = typed
		area.OnShortcut, area.OnFocus = onRunKeys(p.form.owner.submit), p.keyboard
		p.focus = area
		return area
	}
	line := newInput(hint, p.form.owner.submit)
	line.SetText(value.Text)
	line.OnChanged = typed
	line.OnFocus = p.keyboard
	line.OnSubmitted = p.submitted
	line.OnPaste = func(text string) bool {
		if value.Field.Kind != toolform.KindString {
			return false
		}
		// Text of several lines needs an input with several lines.
		typed(line.Text + text)
		p.rebuild()
		p.form.focus(p)
		return true
	}
	p.focus = line
	return line
}

// hidden returns an input that hides its text.
func (p *part) hidden(hint string, typed func(string)) fyne.CanvasObject {
	line := kit.NewSecretInput(hint)
	line.Show(p.value.Text, true)
	line.OnValue = func(text string) {
		eye := line.Eye.Visible()
		typed(text)
		line.Show(text, true)
		if line.Eye.Visible() != eye {
			p.form.owner.reshaped()
		}
	}
	line.OnFocus = func(here bool) {
		if !here {
			line.Left(true)
		}
		p.keyboard(here)
	}
	line.OnShortcut, line.OnSubmitted = onRunKeys(p.form.owner.submit), p.submitted
	p.focus = line.Input
	return kit.Row(kit.GapTight, kit.Rest(line.Input), line.Eye)
}

// submitted is called on Enter in a line.
func (p *part) submitted(string) {
	if p.form.asked {
		p.form.owner.submit()
	}
}

// placeholder returns the text of an empty input: an example, or else the type.
func placeholder(field *toolform.Field) string {
	for _, example := range field.Examples {
		text := string(example)
		var plain string
		if json.Unmarshal(example, &plain) == nil {
			text = plain
		}
		if text = kit.Cut(text, 60); text != "" {
			return lang.L("For example {{.Example}}", map[string]any{"Example": text})
		}
	}
	words := TypeWords(field)
	switch field.Format {
	case "date":
		words = "2026-01-31"
	case "date-time":
		words = "2026-01-31T14:30:00Z"
	case "time":
		words = "14:30:00Z"
	case "uri", "url":
		words = "https://"
	default:
		words = capital(words)
	}
	return words
}

// check returns a checkbox for yes or no, with its state in words.
func (p *part) check() fyne.CanvasObject {
	value := p.value
	box := kit.NewCheck("", nil)
	box.OnFocus = p.keyboard
	if p.form.asked {
		box.OnEnter = p.form.owner.submit
	}
	box.Checked = value.On
	box.OnChanged = func(on bool) {
		value.On, value.Set, value.Preset = on, true, false
		p.form.edited(p)
	}
	p.alsoFollow(func() {
		word := lang.L("No")
		switch {
		case value.On:
			word = lang.L("Yes")
		case !value.Sent() && !value.Preset:
			word = lang.L("Not set")
		}
		if box.Text != word {
			box.Text = word
			box.Refresh()
		}
	})
	p.focus = box
	return box
}

// choice returns a menu of the values that the schema lists.
func (p *part) choice() fyne.CanvasObject {
	value := p.value
	if len(value.Field.Options) == 1 && value.Field.Required {
		return kit.NewText(value.Field.Options[0].Title, kit.TextStyle{Color: theme.ColorMuted})
	}
	none := ""
	if !value.Field.Required && value.Field.Name != "" {
		none = lang.L("Not set")
	}
	choose := p.selection(distinct(value.Field.Options), none, func(at int) {
		if at == value.Choice && value.Set == (at >= 0) {
			return
		}
		value.Choose(at)
		value.Set, value.Preset = at >= 0, false
		p.form.edited(p)
	})
	if none != "" {
		p.alsoFollow(func() {
			if p.clear != nil {
				p.clear.Hide() // the first choice does the same
			}
		})
	}
	return choose
}

// selection returns a menu of labels. If none is not empty, it is the first entry and means no choice. chosen gets the
// index of the label, or -1 for none.
func (p *part) selection(labels []string, none string, chosen func(at int)) fyne.CanvasObject {
	first := 0
	if none != "" {
		labels, first = append([]string{none}, labels...), 1
	}
	choose := kit.NewSelect(labels, nil)
	choose.OnFocus = p.keyboard
	if at := p.value.Choice + first; at >= 0 && at < len(labels) {
		choose.Selected = labels[at]
	}
	choose.OnChanged = func(string) { chosen(choose.SelectedIndex() - first) }
	p.focus = choose
	// Fyne's menu has no line around it, as inputs have.
	return container.NewStack(choose,
		kit.NewBox(kit.BoxStyle{Line: base.ColorNameInputBorder, Radius: theme.SizeFieldRadius}, nil))
}

// ticks returns a checkbox for each of the values, of which the user may choose any number.
func (p *part) ticks() fyne.CanvasObject {
	value := p.value
	chosen := make([]bool, len(value.Field.Item.Options))
	for _, item := range value.Items {
		if item.Choice >= 0 {
			chosen[item.Choice] = true
		}
	}
	column := kit.Column(0)
	for i, label := range distinct(value.Field.Item.Options) {
		box := kit.NewCheck(label, func(on bool) {
			chosen[i] = on
			value.Items, value.Set, value.Preset = nil, false, false
			for at, on := range chosen {
				if on {
					value.Add().Choose(at)
				}
			}
			p.form.edited(p)
		})
		box.Follow(chosen[i])
		box.OnEnter = p.form.owner.submit
		if i == 0 {
			p.focus = box
		}
		column.Add(box)
	}
	return column
}

// distinct returns a label for each option. Equal titles get numbers.
func distinct(options []toolform.Option) []string {
	labels := make([]string, len(options))
	seen := map[string]int{}
	for i, option := range options {
		label := kit.Line(kit.Cut(option.Title, 60))
		if label == "" {
			label = lang.L("(empty)")
		}
		seen[label]++
		if n := seen[label]; n > 1 {
			label = fmt.Sprintf("%s (%d)", label, n)
		}
		labels[i] = label
	}
	return labels
}

// rawControl returns an input for JSON, for values that no other control can show.
func (p *part) rawControl() fyne.CanvasObject {
	value := p.value
	rows := 3
	if p.parent == nil {
		rows = 5
	}
	area := kit.NewTextArea(min(max(rows, strings.Count(value.Text, "\n")+1), 14), true)
	area.SetPlaceHolder("{}")
	area.SetText(value.Text)
	area.OnChanged = func(text string) {
		value.Text = text
		value.Set = strings.TrimSpace(text) != "" || p.parent == nil
		p.form.edited(p)
	}
	area.OnShortcut, area.OnFocus = onRunKeys(p.form.owner.submit), p.keyboard
	p.focus = area
	note := kit.NewParagraph(lang.L("Write JSON here: text in quotation marks, a number, a list or an object."),
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	if !value.Raw || p.parent == nil {
		return kit.Column(kit.GapTight, note, area)
	}
	reset := kit.NewButton(lang.L("Clear"), widget.LowImportance, func() {
		value.Clear()
		p.rebuild()
	})
	return kit.Column(kit.GapTight, note, area, kit.Row(0, reset))
}

// focus focuses the first control of a part.
func (f *form) focus(p *part) {
	if p != nil && p.focus != nil {
		kit.Focus(p.focus)
	}
}
