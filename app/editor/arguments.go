package editor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// arguments is the list of a command's arguments. In the file it is one array, of which the operation leaves alone what
// stays the same.
type arguments struct {
	setup *setup
	file  model.Value
	odd   bool // the file has something else than an array
	rows  []*argument
	spare []*argumentLine // of the entry that was shown just now

	list  *fyne.Container
	add   *kit.Button
	notes *notes
	box   fyne.CanvasObject
}

// argument is one of them.
type argument struct {
	text string
	file Value // what the text was made of; the zero Value when the file doesn't have it yet
	*argumentLine
}

// begun reports whether a new row is still empty.
func (r *argument) begun() bool { return r.file.Kind == 0 && r.text == "" }

// argumentLine are the widgets of an argument. To make them takes longer than all else about an entry.
type argumentLine struct {
	input            *kit.SecretInput
	notes            *notes
	up, down, remove *kit.Button
	box              fyne.CanvasObject
}

func newArguments(s *setup) *arguments {
	a := &arguments{setup: s, list: kit.Column(6), notes: newNotes(s.reveal)}
	a.add = kit.NewButton(lang.L("Add argument"), widget.MediumImportance, func() {
		row := a.insert(len(a.rows), "", Value{})
		a.arrange()
		kit.Focus(row.input.Input)
	})
	a.add.Icon = base.ContentAddIcon()
	a.box = labelled(lang.L("Arguments"), lang.L("One word or path per line, in the order of the command line. Alt and an arrow key move a line."),
		a.list, a.notes.box, kit.Row(0, a.add))
	return a
}

// insert makes a row.
func (a *arguments) insert(at int, text string, file Value) *argument {
	s, row := a.setup, &argument{text: text, file: file, argumentLine: a.line()}
	s.listen(row.input, func(text string) {
		row.text = text
		a.typed()
	}, a.draft, func() bool { return a.secret(row) })
	row.input.OnSubmitted = func(string) {
		s.commit()
		// Enter goes on to the next argument, as in a list that is typed.
		next := a.insert(slices.Index(a.rows, row)+1, "", Value{})
		a.arrange()
		kit.Focus(next.input.Input)
	}
	row.input.OnPaste = func(text string) bool { return a.paste(row, text) }
	row.input.OnMove = func(by int) { a.move(row, by) }
	row.input.OnKey = func(event *fyne.KeyEvent) bool {
		if event.Name == fyne.KeyBackspace && row.begun() {
			a.remove(row)
			return true
		}
		return false
	}
	left := row.input.OnFocus
	row.input.OnFocus = func(focused bool) {
		left(focused)
		if !focused {
			s.later(func() { a.dropEmpty(row) })
		}
	}
	row.up.OnTapped = func() { a.move(row, -1) }
	row.down.OnTapped = func() { a.move(row, 1) }
	row.remove.OnTapped = func() { a.remove(row) }
	a.rows = slices.Insert(a.rows, at, row)
	row.input.Show(row.text, a.secret(row))
	return row
}

func (a *arguments) key() string               { return "args" }
func (a *arguments) local(*model.Draft) string { return "" }
func (a *arguments) place() model.Place        { return model.Place{Server: a.setup.target(), Field: "args"} }
func (a *arguments) draft() *model.Draft       { return a.setup.drafts.At(a.place()) }
func (a *arguments) take(now model.Value) *model.Draft {
	if a.odd {
		return nil
	}
	return a.setup.drafts.Type(a.place(), a.setup.base, a.file, now)
}

// set has other arguments typed.
func (a *arguments) set(texts []string) *model.Draft {
	return a.take(model.Value{There: true, Text: string(jsonc.Value(texts))})
}

// typed takes up what stands in the rows.
func (a *arguments) typed() {
	a.take(a.value())
	a.setup.edited()
}

// element is an argument as JSON. One that is no text, or no text that can be written again, stays as it is in the file.
func element(v Value) json.RawMessage {
	if v.String && !strings.ContainsRune(v.Text, utf8.RuneError) {
		return jsonc.Value(v.Text)
	}
	return json.RawMessage(v.Raw)
}

func listOf(elements []json.RawMessage) model.Value {
	if len(elements) == 0 {
		return model.Value{There: true, Text: model.EmptyList}
	}
	return model.Value{There: true, Text: string(jsonc.Value(elements))}
}

// value is the list as it stands in the rows.
func (a *arguments) value() model.Value {
	var elements []json.RawMessage
	for _, row := range a.filled() {
		if row.file.Kind != 0 && row.text == row.file.Text {
			elements = append(elements, element(row.file))
		} else {
			elements = append(elements, jsonc.Value(row.text))
		}
	}
	return listOf(elements)
}

// filled are the rows but for those that were begun and have nothing in them.
func (a *arguments) filled() []*argument {
	return slices.DeleteFunc(slices.Clone(a.rows), (*argument).begun)
}

func (a *arguments) texts() []string {
	var texts []string
	for _, row := range a.filled() {
		texts = append(texts, row.text)
	}
	return texts
}

func (a *arguments) follow(entry Entry) {
	value, there := entry.Get("args")
	a.odd = there && value.Kind != '['
	var elements []json.RawMessage
	for _, v := range value.List {
		elements = append(elements, element(v))
	}
	a.file = listOf(elements)
	a.setup.drafts.Follow(a.place(), a.setup.base, a.file)
	shown := a.file
	if d := a.draft(); d != nil {
		shown = d.Now
	}
	a.fill(shown)
	a.spare = nil // what is not in the window gets no other theme, and Fyne forgets it
	a.arrange()
}

// fill has the rows show a list. Each keeps its widgets, and with them the keyboard.
func (a *arguments) fill(list model.Value) {
	same := a.value() == list
	values := readValue(jsonc.Parse([]byte(list.Text)).Root).List
	if !same {
		a.rows = slices.DeleteFunc(a.rows, func(row *argument) bool { return row.begun() && !kit.HoldsKeyboard(row.input.Input) })
	}
	at := 0
	for _, v := range values {
		for at < len(a.rows) && a.rows[at].begun() {
			at++
		}
		if at == len(a.rows) {
			a.insert(at, v.Text, v)
		} else {
			a.rows[at].text, a.rows[at].file = v.Text, v
		}
		at++
	}
	a.rows = append(a.rows[:at], slices.DeleteFunc(a.rows[at:], func(row *argument) bool { return !row.begun() })...)
}

// line gives widgets for an argument.
func (a *arguments) line() *argumentLine {
	if len(a.spare) > 0 {
		line := a.spare[0] // in their order, so that most stay where they are
		a.spare = a.spare[1:]
		return line
	}
	line := &argumentLine{input: kit.NewSecretInput(""), notes: newNotes(a.setup.reveal)}
	button := func(icon fyne.Resource, spoken string) *kit.Button {
		b := kit.NewIconButton(icon, spoken, nil)
		return b
	}
	line.up = button(base.MoveUpIcon(), lang.L("Move up"))
	line.down = button(base.MoveDownIcon(), lang.L("Move down"))
	line.remove = button(base.ContentClearIcon(), lang.L("Remove"))
	line.box = kit.Column(4, trailed(line.input.Input, line.input.Eye, line.up, line.down, line.remove), line.notes.box)
	return line
}

// forget prepares the list for another entry, which gets the widgets of this one.
func (a *arguments) forget() {
	a.spare = nil
	for _, row := range a.rows {
		held := letGo(row.up, row.down, row.remove, row.input.Eye)
		if !held && !row.input.Used() {
			a.spare = append(a.spare, row.argumentLine)
		}
	}
	a.file, a.odd, a.rows = model.Value{}, false, nil
}

// secret reports whether an argument is to be hidden: it looks like a secret, or what comes before it says that it is one.
func (a *arguments) secret(row *argument) bool {
	before := ""
	if i := slices.Index(a.rows, row); i > 0 {
		before = a.rows[i-1].text
	}
	return secretAfter(before, row.text)
}

func secretAfter(before, text string) bool {
	return secret.Value(text) || strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && !strings.HasPrefix(text, "-") &&
		secret.Key(before) && secret.Pair(before, text)
}

// words are a list in a sentence.
func (a *arguments) words(list model.Value) string {
	var said []string
	before := ""
	for _, v := range readValue(jsonc.Parse([]byte(list.Text)).Root).List {
		said = append(said, masked(v.Text, func(text string) bool { return secretAfter(before, text) }))
		before = v.Text
	}
	return strings.Join(said, " ")
}

// arrange puts the rows in their order, with the widgets that they have.
func (a *arguments) arrange() {
	objects := make([]fyne.CanvasObject, len(a.rows))
	for i, row := range a.rows {
		objects[i] = row.box
		kit.SetEnabled(row.up, i > 0)
		kit.SetEnabled(row.down, i < len(a.rows)-1)
	}
	if !slices.Equal(objects, a.list.Objects) {
		a.list.Objects = objects
		a.setup.arrange()
	}
}

// move changes the order.
func (a *arguments) move(row *argument, by int) {
	i := slices.Index(a.rows, row)
	j := i + by
	if i < 0 || j < 0 || j >= len(a.rows) {
		return
	}
	a.rows[i], a.rows[j] = a.rows[j], a.rows[i]
	a.arrange()
	a.take(a.value())
	a.setup.changed()
}

func (a *arguments) remove(row *argument) {
	i := slices.Index(a.rows, row)
	if i < 0 {
		return // it is of another entry, or gone already
	}
	a.drop(row)
	// The keyboard stays in the list.
	switch {
	case i < len(a.rows):
		kit.Focus(a.rows[i].input.Input)
	case i > 0:
		kit.Focus(a.rows[i-1].input.Input)
	default:
		kit.Focus(a.add)
	}
	a.take(a.value())
	a.setup.changed()
}

// dropEmpty takes away a row that was begun and left empty.
func (a *arguments) dropEmpty(row *argument) {
	if !row.begun() || kit.HoldsKeyboard(row.input.Input) || !slices.Contains(a.rows, row) {
		return
	}
	if row.up.Focused() || row.down.Focused() || row.remove.Focused() {
		kit.Focus(a.add)
	}
	a.drop(row)
}

func (a *arguments) drop(row *argument) {
	if i := slices.Index(a.rows, row); i >= 0 {
		a.rows = slices.Delete(a.rows, i, i+1)
	}
	a.arrange()
}

// paste takes several lines as so many arguments.
func (a *arguments) paste(row *argument, text string) bool {
	pasted := lines(text)
	if len(pasted) < 2 {
		return false
	}
	at := slices.Index(a.rows, row)
	if row.text == "" {
		row.text = pasted[0]
		row.input.Show(row.text, a.secret(row))
		pasted = pasted[1:]
	}
	last := row
	for i, line := range pasted {
		last = a.insert(at+1+i, line, Value{})
	}
	a.arrange()
	kit.Focus(last.input.Input)
	a.typed()
	return true
}

func (a *arguments) show(problems []problem) []problem {
	if !a.box.Visible() {
		return problems
	}
	own, others := mine(problems, ".args")
	rows := a.filled()
	for i, row := range rows {
		var at []problem
		at, own = mine(own, fmt.Sprintf(".args[%d]", i))
		a.showRow(row, at)
	}
	for _, row := range a.rows {
		if !slices.Contains(rows, row) {
			a.showRow(row, nil)
		}
	}
	say := a.setup.draftNotes(a.draft(), a.file, a.words)
	for _, p := range own {
		say = append(say, a.setup.noteOf(p))
	}
	a.notes.set(say)
	kit.SetVisible(a.add, !a.odd)
	a.arrange()
	return others
}

func (a *arguments) showRow(row *argument, problems []problem) {
	hidden := a.secret(row)
	row.input.Show(row.text, hidden)
	var say []note
	for _, p := range problems {
		say = append(say, a.setup.noteOf(p))
	}
	say = append(say, a.setup.longNote(row.input)...)
	row.notes.set(append(say, a.setup.referenceNotes(row.text, problems)...))
}
