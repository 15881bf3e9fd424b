package editor

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// variables is a table of names and values: the environment of a program, or the headers of a web address. Each row is
// saved by itself, so that comments and the order in the file survive.
type variables struct {
	setup *setup
	key   string // "env" or "headers"
	odd   bool   // the file has something else than an object
	there map[string]bool
	rows  []*variable
	spare []*variableLine // of the entry that was shown just now

	list  *fyne.Container
	add   *kit.Button
	notes *notes
	box   fyne.CanvasObject
	words variableWords
}

type variableWords struct{ name, value, noName, twice string }

// variable is one row.
type variable struct {
	file  string // its name in the file; empty when the file doesn't have it yet
	name  draft
	value draft
	raw   bool // the file has something else than a string

	keeping    bool // on its way to the keychain
	keepFailed string
	*variableLine
}

// variableLine are the widgets of a row.
type variableLine struct {
	nameInput  *kit.SecretInput
	valueInput *kit.SecretInput
	keep       *kit.Check
	remove     *kit.Button
	notes      *notes
	box        fyne.CanvasObject
}

func newVariables(s *setup, key, label, hint, add string, words variableWords) *variables {
	v := &variables{setup: s, key: key, list: kit.Column(8), notes: newNotes(s.reveal), words: words}
	v.add = kit.NewButton(add, widget.MediumImportance, func() {
		row := v.insert(len(v.rows))
		v.arrange()
		kit.Focus(row.nameInput.Input)
	})
	v.add.Icon = base.ContentAddIcon()
	v.box = labelled(label, hint, v.list, v.notes.box, kit.Row(0, v.add))
	return v
}

// insert makes a row for something new.
func (v *variables) insert(at int) *variable {
	row := &variable{}
	v.place(at, row)
	return row
}

// place gives a row widgets and puts it into the table.
func (v *variables) place(at int, row *variable) {
	s := v.setup
	row.variableLine = v.line()
	s.listen(row.nameInput, v, &row.name, func() bool { return false })
	s.listen(row.valueInput, v, &row.value, func() bool { return row.secret() })
	row.nameInput.OnSubmitted = func(string) { kit.Focus(row.valueInput.Input) }
	row.nameInput.OnPaste = func(text string) bool { return v.paste(row, text) }
	for _, input := range []*kit.SecretInput{row.nameInput, row.valueInput} {
		left := input.OnFocus
		input.OnFocus = func(focused bool) {
			left(focused)
			if !focused && row.file == "" && row.name.text == "" && row.value.text == "" && row.name.sent == nil {
				s.later(func() { v.dropEmpty(row) })
			}
		}
	}
	row.keep.OnChanged = func(keep bool) { v.setKept(row, keep) }
	row.remove.OnTapped = func() { v.remove(row) }
	v.rows = slices.Insert(v.rows, at, row)
}

// line gives widgets for a row.
func (v *variables) line() *variableLine {
	if len(v.spare) > 0 {
		line := v.spare[0]
		v.spare = v.spare[1:]
		return line
	}
	s := v.setup
	line := &variableLine{nameInput: kit.NewSecretInput(v.words.name), valueInput: kit.NewSecretInput(v.words.value), notes: newNotes(s.reveal)}
	line.keep = kit.NewCheck(lang.L("Keep in keychain"), nil)
	line.remove = kit.NewIconButton(base.ContentClearIcon(), lang.L("Remove"), nil)
	fields := container.New(shareLayout{}, line.nameInput.Input, trailed(line.valueInput.Input, line.valueInput.Eye, line.remove))
	line.box = kit.Column(2, fields, line.keep, line.notes.box)
	return line
}

// forget prepares the table for another entry, which gets the widgets of this one.
func (v *variables) forget() {
	v.spare = nil
	for _, row := range v.rows {
		held := letGo(row.keep, row.remove, row.nameInput.Eye, row.valueInput.Eye)
		if !held && !row.nameInput.Used() && !row.valueInput.Used() {
			v.spare = append(v.spare, row.variableLine)
		}
	}
	v.rows = nil
}

func (v *variables) keep() (putBack func()) {
	odd, there, rows := v.odd, v.there, slices.Clone(v.rows)
	return func() {
		v.odd, v.there, v.rows = odd, there, nil
		for _, row := range rows {
			row.name, row.value = row.name.again(), row.value.again()
			v.place(len(v.rows), row)
		}
		v.arrange()
	}
}

// dropEmpty takes away a row that was begun and left empty.
func (v *variables) dropEmpty(row *variable) {
	if row.file == "" && row.name.text == "" && row.value.text == "" && !row.typing() {
		v.drop(row)
	}
}

func (v *variables) drop(row *variable) {
	if i := slices.Index(v.rows, row); i >= 0 {
		v.rows = slices.Delete(v.rows, i, i+1)
		v.arrange()
	}
}

func (v *variables) arrange() {
	objects := make([]fyne.CanvasObject, len(v.rows))
	for i, row := range v.rows {
		objects[i] = row.box
	}
	if !slices.Equal(objects, v.list.Objects) {
		v.list.Objects = objects
		v.setup.arrange()
	}
}

// secret tells whether the value is to be hidden.
func (r *variable) secret() bool { return isSecret(r.name.text, r.value.text) }

func isSecret(name, value string) bool {
	return secret.Pair(name, value) || secret.Value(value)
}

// paste takes lines such as NAME=value, as a .env file and many instructions have them.
func (v *variables) paste(row *variable, text string) bool {
	at := slices.Index(v.rows, row)
	taken := 0
	for _, line := range lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		separator := "="
		if v.key == "headers" {
			separator = ":"
		}
		name, value, ok := strings.Cut(line, separator)
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		to := row
		if taken > 0 || row.name.text != "" {
			to = v.insert(at + 1)
			at++
		}
		to.name.typed(strings.TrimSpace(name))
		to.value.typed(value)
		taken++
	}
	if taken == 0 {
		return false
	}
	v.arrange()
	v.setup.typed()
	v.setup.show()
	return true
}

func (v *variables) remove(row *variable) {
	i := slices.Index(v.rows, row)
	if i < 0 {
		return // it is of another entry, or gone already
	}
	name := row.file
	v.drop(row)
	switch {
	case i < len(v.rows):
		kit.Focus(v.rows[i].nameInput.Input)
	case i > 0:
		kit.Focus(v.rows[i-1].nameInput.Input)
	default:
		kit.Focus(v.add)
	}
	if name == "" || !v.there[name] {
		return
	}
	s := v.setup
	s.editHere([]edit.Op{edit.ClearField{Target: s.target(), Field: []string{v.key, name}}}, func(err error) {
		if err != nil && !slices.ContainsFunc(v.rows, func(row *variable) bool { return row.file == name }) {
			v.place(min(i, len(v.rows)), row)
		}
		s.done(err)
	})
}

// local is what is wrong with a row that cannot even be written down.
func (v *variables) local(row *variable) string {
	switch {
	case !row.dirty():
		return ""
	case row.name.text == "" && row.value.text == "" && row.file == "":
		return "" // not begun
	case row.name.text == "":
		return v.words.noName
	}
	for _, other := range v.rows {
		if other != row && sameName(v.key, other.name.text, row.name.text) {
			return v.words.twice
		}
	}
	return ""
}

func sameName(key, a, b string) bool {
	return a == b || key == "headers" && strings.EqualFold(a, b)
}

func (r *variable) dirty() bool {
	return r.name.dirty() || r.value.dirty() || r.file == "" && (r.name.text != "" || r.value.text != "")
}

func (r *variable) disputed() bool { return r.name.disputed() || r.value.disputed() }

// unfinished tells of a new row that it has a name only, while the user is still in it.
func (r *variable) unfinished() bool {
	return r.file == "" && r.value.text == "" && r.typing()
}

// typing tells whether the keyboard is in the row, also while another program is in front.
func (r *variable) typing() bool {
	return kit.HoldsKeyboard(r.nameInput.Input) || kit.HoldsKeyboard(r.valueInput.Input)
}

func (v *variables) dirty() bool {
	return slices.ContainsFunc(v.rows, (*variable).dirty)
}

// rowOps saves one row.
func (v *variables) rowOps(row *variable, final bool) []edit.Op {
	if !row.dirty() || v.local(row) != "" || row.name.text == "" || row.keeping {
		return nil
	}
	if final && (row.disputed() || row.unfinished() || v.setup.rowHasErrors(v, row)) {
		return nil
	}
	target := v.setup.target()
	name := row.file
	var ops []edit.Op
	if name != "" && row.name.dirty() {
		ops = append(ops, edit.RenameField{Target: target, Field: []string{v.key, name}, To: row.name.text})
	}
	if row.value.dirty() || name == "" {
		ops = append(ops, edit.SetField{Target: target, Field: []string{v.key, row.name.text}, Value: edit.Value(row.value.text)})
	}
	return ops
}

func (v *variables) ops(final bool) []edit.Op {
	if v.odd {
		return nil
	}
	var ops []edit.Op
	for _, row := range v.rows {
		ops = append(ops, v.rowOps(row, final)...)
	}
	return ops
}

func (v *variables) send() {
	for _, row := range v.rows {
		if len(v.rowOps(row, true)) > 0 {
			row.name.send()
			row.value.send()
		}
	}
}

func (v *variables) left() bool {
	return slices.ContainsFunc(v.rows, func(row *variable) bool {
		underWay := row.name.sent != nil && !row.name.left() && !row.value.left()
		return row.dirty() && !underWay
	})
}

func (v *variables) saved(err error) {
	for _, row := range v.rows {
		if row.name.sent == nil {
			continue
		}
		if err == nil {
			row.file = *row.name.sent
		}
		row.name.saved(err)
		row.value.saved(err)
	}
}

func (v *variables) yield(begins bool) {
	for _, row := range v.rows {
		yield := begins && (!row.dirty() || v.rowOps(row, false) != nil)
		row.name.yield, row.value.yield = yield, yield
	}
}

func (v *variables) revert() {
	for _, row := range slices.Clone(v.rows) {
		row.name.revert()
		row.value.revert()
		if row.file == "" {
			v.drop(row)
		}
	}
}

func (v *variables) show(problems []problem) []problem {
	if !v.box.Visible() {
		return problems
	}
	own, others := mine(problems, memberPath(v.key))
	for _, row := range v.rows {
		var at []problem
		if row.name.text != "" {
			at, own = mine(own, memberPath(v.key)+memberPath(row.name.text))
		}
		v.showRow(row, at)
	}
	var say []note
	for _, p := range own {
		say = append(say, v.setup.noteOf(p))
	}
	v.notes.set(say)
	setVisible(v.add, !v.odd)
	v.arrange()
	return others
}

func (v *variables) showRow(row *variable, problems []problem) {
	s := v.setup
	row.nameInput.Show(row.name.text, false)
	row.valueInput.Show(row.value.text, row.secret())
	kept := keptName(row.value.text) != ""
	row.keep.Follow(kept || row.keeping)
	setVisible(row.keep, s.actions.KeepSecret != nil && (kept || row.keeping || row.secret()))
	var say []note
	masking := func(text string) bool { return isSecret(row.name.text, text) }
	if row.name.disputed() {
		say = append(say, s.dispute(&row.name, func(string) bool { return false }, v))
	}
	if row.value.disputed() {
		said := s.dispute(&row.value, masking, v)
		if row.value.gone {
			said.acts[1].do = func() { row.value.take(); v.drop(row); s.check() }
		}
		say = append(say, said)
	}
	if reason := first(row.value.reason, row.name.reason); reason != "" {
		said := s.notSaved(reason, v)
		said.acts[1].do = func() {
			row.name.revert()
			row.value.revert()
			if row.file == "" {
				v.drop(row)
			}
			s.check()
		}
		say = append(say, said)
	}
	if row.keeping {
		say = append(say, note{state: theme.StateWorking, text: lang.L("Asking your keychain…")})
	}
	if row.keepFailed != "" {
		say = append(say, note{state: theme.StateWrong, text: lang.L("Your keychain did not take it: {{.Reason}}", map[string]any{"Reason": row.keepFailed})})
	}
	if local := v.local(row); local != "" {
		say = append(say, note{state: theme.StateWrong, text: local})
	}
	for _, p := range problems {
		say = append(say, s.noteOf(p))
	}
	say = append(say, s.longNote(row.valueInput)...)
	row.notes.set(append(say, s.referenceNotes(row.value.text, problems)...))
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// shareLayout gives the first of two objects a third of the width, and the other the rest.
type shareLayout struct{}

const shareGap = 8

func (shareLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+shareGap+b.Width, max(a.Height, b.Height))
}

func (shareLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := max(objects[0].MinSize().Width, (size.Width-shareGap)*0.36)
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+shareGap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-width-shareGap, size.Height))
}
