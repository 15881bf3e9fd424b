package editor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// arguments is the list of a command's arguments. In the file it is one array, of which the operation leaves alone what
// stays the same.
type arguments struct {
	setup    *setup
	base     []Value // as in the file
	odd      bool    // the file has something else than an array
	rows     []*argument
	spare    []*argumentLine // of the entry that was shown just now
	sent     []json.RawMessage
	rowsSent []*argument // those of sent, in its order
	before   []sentList  // what was sent before that, which the file may still come to say
	again    bool        // something else is saved that changes the list

	list   *fyne.Container
	add    *kit.Button
	notes  *notes
	reason string
	box    fyne.CanvasObject
}

// sentList is the list as it was sent, with the rows that it was made of.
type sentList struct {
	values []json.RawMessage
	rows   []*argument
}

// argument is one of them.
type argument struct {
	draft
	from int // in base; -1 when the file doesn't have it yet
	*argumentLine
}

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
		row := a.insert(len(a.rows), "", -1)
		a.arrange()
		kit.Focus(row.input.Input)
	})
	a.add.Icon = base.ContentAddIcon()
	a.box = labelled(lang.L("Arguments"), lang.L("One word or path per line, in the order of the command line. Alt and an arrow key move a line."),
		a.list, a.notes.box, kit.Row(0, a.add))
	return a
}

// insert makes a row.
func (a *arguments) insert(at int, text string, from int) *argument {
	row := &argument{from: from}
	row.base, row.text = text, text
	a.place(at, row)
	return row
}

// place gives a row widgets and puts it into the list.
func (a *arguments) place(at int, row *argument) {
	s := a.setup
	row.argumentLine = a.line()
	s.listen(row.input, a, &row.draft, func() bool { return a.secret(row) })
	row.input.OnSubmitted = func(string) {
		s.commit(a)
		// Enter goes on to the next argument, as in a list that is typed.
		next := a.insert(slices.Index(a.rows, row)+1, "", -1)
		a.arrange()
		kit.Focus(next.input.Input)
	}
	row.input.OnPaste = func(text string) bool { return a.paste(row, text) }
	row.input.OnMove = func(by int) { a.move(row, by) }
	row.input.OnKey = func(event *fyne.KeyEvent) bool {
		if event.Name == fyne.KeyBackspace && row.text == "" && row.from < 0 {
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
	a.base, a.rows, a.sent, a.rowsSent, a.before, a.again, a.reason = nil, nil, nil, nil, nil, false, ""
}

func (a *arguments) keep() (putBack func()) {
	base, odd, rows, before, reason := a.base, a.odd, slices.Clone(a.rows), a.underWay(), a.reason
	return func() {
		a.base, a.odd, a.rows, a.before, a.reason = base, odd, nil, before, reason
		for _, row := range rows {
			row.draft = row.draft.again()
			a.place(len(a.rows), row)
		}
		a.arrange()
	}
}

// secret tells whether an argument is to be hidden: it looks like a secret, or what comes before it says that it is one.
func (a *arguments) secret(row *argument) bool {
	if secret.Value(row.text) {
		return true
	}
	i := slices.Index(a.rows, row)
	if i < 1 {
		return false
	}
	before := a.rows[i-1].text
	return strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && !strings.HasPrefix(row.text, "-") &&
		secret.Key(before) && secret.Pair(before, row.text)
}

// arrange puts the rows in their order, with the widgets that they have.
func (a *arguments) arrange() {
	objects := make([]fyne.CanvasObject, len(a.rows))
	for i, row := range a.rows {
		objects[i] = row.box
		enable(row.up, i > 0)
		enable(row.down, i < len(a.rows)-1)
	}
	if !slices.Equal(objects, a.list.Objects) {
		a.list.Objects = objects
		a.setup.arrange()
	}
}

func enable(button *kit.Button, enabled bool) {
	switch {
	case enabled == !button.Disabled():
	case enabled:
		button.Enable()
	default:
		button.Disable()
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
	a.setup.typed()
	a.setup.commit(a)
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
	if row.from >= 0 {
		a.setup.typed()
		a.setup.commit(a)
	}
}

// dropEmpty takes away a row that was begun and left empty.
func (a *arguments) dropEmpty(row *argument) {
	if row.from < 0 && row.text == "" && row.sent == nil && !row.disputed() && !kit.HoldsKeyboard(row.input.Input) {
		a.drop(row)
	}
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
		row.typed(pasted[0])
		row.input.Show(row.text, a.secret(row))
		pasted = pasted[1:]
	}
	last := row
	for i, line := range pasted {
		last = a.insert(at+1+i, "", -1)
		last.typed(line)
		last.input.Show(line, a.secret(last))
	}
	a.arrange()
	kit.Focus(last.input.Input)
	a.setup.typed()
	return true
}

// values are the array as it is to be. Elements that were not changed are written as they are, whatever they are.
func (a *arguments) values() (values []json.RawMessage, rows []*argument) {
	for _, row := range a.rows {
		switch {
		case row.from >= 0 && !row.dirty():
			values = append(values, json.RawMessage(a.base[row.from].Raw))
		case row.from < 0 && row.text == "":
			continue // not begun
		default:
			values = append(values, edit.Value(row.text))
		}
		rows = append(rows, row)
	}
	return values, rows
}

func (a *arguments) dirty() bool {
	if a.odd {
		return slices.ContainsFunc(a.rows, func(row *argument) bool { return row.text != "" })
	}
	_, rows := a.values()
	if len(rows) != len(a.base) {
		return true
	}
	for i, row := range rows {
		if row.from != i || row.dirty() {
			return true
		}
	}
	return false
}

func (a *arguments) ops(final bool) []edit.Op {
	if !a.dirty() || a.odd || final && slices.ContainsFunc(a.rows, func(row *argument) bool { return row.disputed() }) {
		return nil
	}
	field := []string{"args"}
	values, _ := a.values()
	if len(values) == 0 {
		return []edit.Op{edit.ClearField{Target: a.setup.target(), Field: field}}
	}
	return []edit.Op{edit.SetField{Target: a.setup.target(), Field: field, Value: edit.Value(values)}}
}

func (a *arguments) send() {
	a.reason, a.before = "", a.underWay()
	a.sent, a.rowsSent = a.values()
	if a.sent == nil {
		a.sent = []json.RawMessage{}
	}
	for _, row := range a.rowsSent {
		row.send()
	}
}

// underWay is all that the file may come to say though nobody else has changed it.
func (a *arguments) underWay() []sentList {
	if a.sent == nil {
		return a.before
	}
	return append(slices.Clip(a.before), sentList{a.sent, a.rowsSent})
}

func (a *arguments) left() bool {
	values, _ := a.values()
	return a.dirty() && (a.sent == nil || !slices.EqualFunc(values, a.sent, slices.Equal))
}

func (a *arguments) saved(err error) {
	for _, row := range slices.Concat(a.rows, a.rowsSent) {
		row.settled()
	}
	a.sent, a.rowsSent, a.before = nil, nil, nil
	if err != nil {
		a.reason = kit.Sentence(kit.SayError(err))
	}
}

func (a *arguments) yield(begins bool) {
	a.again = begins
	for _, row := range a.rows {
		row.draft.yield = begins
	}
}

func (a *arguments) revert() {
	a.reason = ""
	for _, row := range a.rows {
		row.draft.revert()
	}
	a.rebuild()
}

func (a *arguments) show(problems []problem) []problem {
	if !a.box.Visible() {
		return problems
	}
	own, others := mine(problems, ".args")
	_, rows := a.values()
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
	var say []note
	if a.reason != "" {
		say = append(say, a.setup.notSaved(a.reason, a))
	}
	for _, p := range own {
		say = append(say, a.setup.noteOf(p))
	}
	a.notes.set(say)
	setVisible(a.add, !a.odd)
	a.arrange()
	return others
}

func (a *arguments) showRow(row *argument, problems []problem) {
	hidden := a.secret(row)
	row.input.Show(row.text, hidden)
	var say []note
	if row.disputed() {
		say = append(say, a.setup.dispute(&row.draft, secret.Value, a))
	}
	for _, p := range problems {
		say = append(say, a.setup.noteOf(p))
	}
	say = append(say, a.setup.longNote(row.input)...)
	row.notes.set(append(say, a.setup.referenceNotes(row.text, problems)...))
}
