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

// onRunKeys has Ctrl+Enter run the tool.
func onRunKeys(run func()) func(fyne.Shortcut) bool {
	return kit.OnKeys(run, fyne.KeyReturn, fyne.KeyEnter)
}

// newInput returns a line in which Ctrl+Enter runs the tool.
func newInput(placeholder string, run func()) *kit.Input {
	i := kit.NewInput(placeholder)
	i.OnShortcut = onRunKeys(run)
	return i
}

// control is what a value is filled in with.
func (p *part) control() fyne.CanvasObject {
	value := p.value
	if value.Raw || value.Field.Kind == toolform.KindRaw {
		return p.rawControl()
	}
	switch value.Field.Kind {
	case toolform.KindObject:
		return p.group()
	case toolform.KindArray:
		if p.form.ticks && picked(value.Field) {
			return p.ticks()
		}
		return p.list()
	case toolform.KindMap:
		return p.list()
	case toolform.KindUnion:
		return p.union()
	case toolform.KindNull:
		return kit.NewText(lang.L("Nothing to fill in"), kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	case toolform.KindBoolean:
		return p.withButtons(p.check())
	case toolform.KindChoice:
		return p.withButtons(p.choice())
	}
	return p.withButtons(p.text())
}

// withButtons puts beside a control what leaves the value out and what makes it null.
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
		p.clear = kit.NewIconButton(base.ContentClearIcon(), lang.L("Leave out"), func() {
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

// text is a field for text and numbers.
func (p *part) text() fyne.CanvasObject {
	value := p.value
	typed := func(text string) {
		value.Text = text
		value.Preset = false
		// An empty field is left out. Who wants to send an empty text writes it as JSON.
		value.Set = text != ""
		p.form.edited(p)
	}
	hint := placeholder(value.Field)
	if p.form.hides != nil && p.form.hides(value.Field) {
		return p.hidden(hint, typed)
	}
	if value.Field.Kind == toolform.KindText || strings.Contains(value.Text, "\n") {
		area := kit.NewTextArea(3, false)
		area.SetPlaceHolder(hint)
		area.SetText(value.Text)
		area.OnChanged = typed
		area.OnShortcut, area.OnFocus = onRunKeys(p.form.run), p.keyboard
		p.focus = area
		return area
	}
	line := newInput(hint, p.form.run)
	line.SetText(value.Text)
	line.OnChanged = typed
	line.OnFocus = p.keyboard
	line.OnSubmitted = p.submitted
	line.OnPaste = func(text string) bool {
		if value.Field.Kind != toolform.KindString {
			return false
		}
		// Several lines need a field of several lines.
		typed(line.Text + text)
		p.rebuild()
		p.form.focus(p)
		return true
	}
	p.focus = line
	if value.Set && value.Text == "" && !value.Null && value.Field.Name != "" && value.Field.Kind == toolform.KindString {
		return kit.Column(4, line, kit.NewText(lang.L("An empty text is sent."), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	return line
}

// hidden is a line whose text is not shown while it is typed.
func (p *part) hidden(hint string, typed func(string)) fyne.CanvasObject {
	line := kit.NewSecretInput(hint)
	line.ActionItem = kit.NewGap(1, 1) // in the place of Fyne's own eye, which the keyboard does not reach
	line.Show(p.value.Text, true)
	line.OnValue = func(text string) {
		eye := line.Eye.Visible()
		typed(text)
		line.Show(text, true)
		if line.Eye.Visible() != eye {
			p.form.reshaped()
		}
	}
	line.OnFocus = func(here bool) {
		if !here {
			line.Left(true)
		}
		p.keyboard(here)
	}
	line.OnShortcut, line.OnSubmitted = onRunKeys(p.form.run), p.submitted
	p.focus = line.Input
	return kit.Row(kit.GapTight, kit.Rest(line.Input), line.Eye)
}

// submitted is what Enter does in a line.
func (p *part) submitted(string) {
	if p.form.enter != nil {
		p.form.enter()
	}
}

// placeholder is what an empty field says: an example, else what it takes.
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

// check is a box for yes or no, with its meaning in words.
func (p *part) check() fyne.CanvasObject {
	value := p.value
	box := kit.NewCheck("", nil)
	box.OnFocus = p.keyboard
	box.OnEnter = p.form.enter
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

// choice is one of the values that the schema lists.
func (p *part) choice() fyne.CanvasObject {
	value := p.value
	if len(value.Field.Options) == 1 && value.Field.Required {
		return kit.NewText(lang.L("Always {{.Value}}", map[string]any{"Value": value.Field.Options[0].Title}), kit.TextStyle{Color: theme.ColorMuted})
	}
	none := ""
	if !value.Field.Required && value.Field.Name != "" {
		none = lang.L("Left out")
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
				p.clear.Hide() // it is the first of the choices
			}
		})
	}
	return choose
}

// selection is a menu of labels, with one for none of them before the others unless that is empty. chosen gets the index of a label, -1 for none.
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
	return outlined(choose)
}

// ticks is a box for each of the values of which any number may be chosen.
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
		box.OnEnter = p.form.enter
		if i == 0 {
			p.focus = box
		}
		column.Add(box)
	}
	if limits := LimitWords(value.Field); limits != "" {
		column.Add(kit.NewText(limits, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	return column
}

// outlined puts the line of a field around a choice, which has none of its own.
func outlined(object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(object, kit.NewBox(kit.BoxStyle{Line: base.ColorNameInputBorder, Radius: theme.SizeFieldRadius}, nil))
}

// distinct gives the options names that differ.
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

// rawControl is for what no form can show: JSON.
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
	area.OnShortcut, area.OnFocus = onRunKeys(p.form.run), p.keyboard
	p.focus = area
	words := ""
	switch {
	case value.Raw:
		words = lang.L("What is here does not fit the field, so it is shown as JSON.")
	case !value.Field.Why.IsZero():
		words = lang.L("This part is written as JSON, because the server's description of it {{.Why}}.", map[string]any{"Why": kit.Say(value.Field.Why)})
	case p.parent == nil:
		words = lang.L("The server does not say what this tool takes. Write its arguments as JSON, or run it without any.")
	default:
		words = lang.L("Any value is allowed. Write it as JSON: text in quotation marks, a number, a list or an object.")
	}
	note := kit.NewParagraph(words, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	if !value.Raw || p.parent == nil {
		return kit.Column(4, note, area)
	}
	reset := kit.NewButton(lang.L("Empty the field"), widget.LowImportance, func() {
		value.Clear()
		p.rebuild()
	})
	return kit.Column(4, note, area, container.NewHBox(reset))
}

// focus puts the cursor into a part.
func (f *form) focus(p *part) {
	if p == nil || p.focus == nil {
		return
	}
	kit.Focus(p.focus)
}
