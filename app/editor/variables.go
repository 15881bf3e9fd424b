package editor

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// variables is a table of names and values: the environment of a program, or the headers of a web address. Each row is
// a draft of its own, so that comments and the order in the file survive.
type variables struct {
	setup *setup
	name  string // "env" or "headers"
	odd   bool   // the file has something else than an object
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
	id   int
	file model.Value // as the file has it; the zero Value when it doesn't yet

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
	v := &variables{setup: s, name: key, list: kit.Column(8), notes: newNotes(s.reveal), words: words}
	v.add = kit.NewButton(add, widget.MediumImportance, func() {
		row := v.row(s.drafts.NewRow())
		v.rows = append(v.rows, row)
		v.arrange()
		kit.Focus(row.nameInput.Input)
	})
	v.add.Icon = base.ContentAddIcon()
	v.box = labelled(label, hint, v.list, v.notes.box, kit.Row(0, v.add))
	return v
}

// focus gives the keyboard to the first row without a value, else to the button that adds one.
func (v *variables) focus() {
	for _, row := range v.rows {
		if v.now(row).Text == "" {
			kit.Focus(row.valueInput.Input)
			return
		}
	}
	kit.Focus(v.add)
}

func (v *variables) key() string { return v.name }

func (v *variables) place(row *variable) model.Place {
	return model.Place{Server: v.setup.target(), Field: v.name, Row: row.id}
}

func (v *variables) draft(row *variable) *model.Draft { return v.setup.drafts.At(v.place(row)) }

// now is what stands in a row.
func (v *variables) now(row *variable) model.Value {
	if d := v.draft(row); d != nil && d.Now.There {
		return d.Now
	}
	return row.file
}

// set has something typed in a row.
func (v *variables) set(row *variable, name, text string) {
	now := model.Value{There: row.file.There || name != "" || text != "", Name: name, Text: text}
	v.setup.drafts.Type(v.place(row), v.setup.base, row.file, now)
}

// row makes a row that is not in the table yet.
func (v *variables) row(id int) *variable {
	s, row := v.setup, &variable{id: id, variableLine: v.line()}
	draft := func() *model.Draft { return v.draft(row) }
	s.listen(row.nameInput, func(name string) {
		v.set(row, name, v.now(row).Text)
		s.edited()
	}, draft, func() bool { return false })
	s.listen(row.valueInput, func(text string) {
		v.set(row, v.now(row).Name, text)
		s.edited()
	}, draft, func() bool { return v.secret(row) })
	row.nameInput.OnSubmitted = func(string) { kit.Focus(row.valueInput.Input) }
	row.nameInput.OnPaste = func(text string) bool { return v.paste(row, text) }
	for _, input := range []*kit.SecretInput{row.nameInput, row.valueInput} {
		left := input.OnFocus
		input.OnFocus = func(focused bool) {
			left(focused)
			if !focused {
				s.later(func() { v.dropEmpty(row) })
			}
		}
	}
	row.keep.OnChanged = func(keep bool) { v.setKept(row, keep) }
	row.remove.OnTapped = func() { v.remove(row) }
	return row
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
	fields := kit.NewShared(0.36, kit.Gap, line.nameInput.Input, trailed(line.valueInput.Input, line.valueInput.Eye, line.remove))
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

// dropEmpty takes away a row that was begun and left empty.
func (v *variables) dropEmpty(row *variable) {
	if v.draft(row) == nil && !row.file.There && !row.typing() {
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
	var objects []fyne.CanvasObject
	for _, row := range v.rows {
		if !v.removed(row) {
			objects = append(objects, row.box)
		}
	}
	if !slices.Equal(objects, v.list.Objects) {
		v.list.Objects = objects
		v.setup.arrange()
	}
}

// secret reports whether the value is to be hidden.
func (v *variables) secret(row *variable) bool {
	now := v.now(row)
	return isSecret(now.Name, now.Text)
}

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
		if v.name == "headers" {
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
		if taken > 0 || v.now(row).Name != "" {
			to = v.row(v.setup.drafts.NewRow())
			at++
			v.rows = slices.Insert(v.rows, at, to)
		}
		v.set(to, strings.TrimSpace(name), value)
		taken++
	}
	if taken == 0 {
		return false
	}
	v.arrange()
	v.setup.edited()
	v.setup.show()
	return true
}

func (v *variables) remove(row *variable) {
	shown := slices.DeleteFunc(slices.Clone(v.rows), v.removed)
	i := slices.Index(shown, row)
	if i < 0 {
		return // it is of another entry, or gone already
	}
	v.setup.drafts.Type(v.place(row), v.setup.base, row.file, model.Value{})
	if !row.file.There {
		v.drop(row)
	}
	v.arrange()
	// The keyboard stays in the table.
	if shown = slices.Delete(shown, i, i+1); len(shown) > 0 {
		kit.Focus(shown[min(i, len(shown)-1)].nameInput.Input)
	} else {
		kit.Focus(v.add)
	}
	v.setup.changed()
}

// removed reports whether a row is about to be deleted and no longer shown.
func (v *variables) removed(row *variable) bool {
	d := v.draft(row)
	return d != nil && !d.Now.There && d.Err == nil
}

// local is what is wrong with a row that cannot even be written down.
func (v *variables) local(d *model.Draft) string {
	switch {
	case !d.Now.There:
		return ""
	case d.Now.Name == "":
		return v.words.noName
	}
	for _, row := range v.rows {
		if row.id != d.Row && !v.removed(row) && sameName(v.name, v.now(row).Name, d.Now.Name) {
			return v.words.twice
		}
	}
	return ""
}

func sameName(key, a, b string) bool {
	return a == b || key == "headers" && strings.EqualFold(a, b)
}

// typing reports whether the keyboard is in the row, also while another program is in front.
func (r *variable) typing() bool {
	return kit.HoldsKeyboard(r.nameInput.Input) || kit.HoldsKeyboard(r.valueInput.Input)
}

func (v *variables) show(problems []problem) []problem {
	if !v.box.Visible() {
		return problems
	}
	own, others := mine(problems, memberPath(v.name))
	for _, row := range v.rows {
		var at []problem
		if name := v.now(row).Name; name != "" {
			at, own = mine(own, memberPath(v.name)+memberPath(name))
		}
		v.showRow(row, at)
	}
	var say []note
	for _, p := range own {
		say = append(say, v.setup.noteOf(p))
	}
	v.notes.set(say)
	kit.SetVisible(v.add, !v.odd)
	v.arrange()
	return others
}

func (v *variables) showRow(row *variable, problems []problem) {
	s := v.setup
	now := v.now(row)
	row.nameInput.Show(now.Name, false)
	row.valueInput.Show(now.Text, v.secret(row))
	kept := keptName(now.Text) != ""
	row.keep.Follow(kept || row.keeping)
	d := v.draft(row)
	asking := row.keeping || d != nil && d.Held // what is typed now would not be what the keychain has
	row.nameInput.Lock(asking)
	row.valueInput.Lock(asking)
	kit.SetVisible(row.keep, kept || row.keeping || v.secret(row))
	say := s.draftNotes(d, row.file, func(value model.Value) string {
		text := masked(value.Text, func(text string) bool { return isSecret(value.Name, text) })
		if value.There && row.file.Name != now.Name {
			text = value.Name + " = " + text
		}
		return text
	})
	if row.keeping {
		say = append(say, note{state: theme.StateWorking, text: lang.L("Asking your keychain…")})
	}
	if row.keepFailed != "" {
		say = append(say, note{state: theme.StateWrong, text: lang.L("Your keychain did not take it: {{.Reason}}", map[string]any{"Reason": row.keepFailed})})
	}
	for _, p := range problems {
		say = append(say, s.noteOf(p))
	}
	say = append(say, s.longNote(row.valueInput)...)
	row.notes.set(append(say, s.referenceNotes(now.Text, problems)...))
}

// follow takes up what the file says. A row that the file has no more stays while something is typed in it.
func (v *variables) follow(entry Entry) {
	s := v.setup
	value, there := entry.Get(v.name)
	v.odd = there && value.Kind != '{'
	v.restore()
	rows, before := []*variable(nil), slices.Clone(v.rows)
	seen := map[string]bool{}
	for _, member := range value.Members {
		if seen[member.Name] { // the second of two with one name doesn't count
			continue
		}
		seen[member.Name] = true
		row := v.named(member.Name, before, value.Members)
		if row == nil {
			row = v.row(s.drafts.NewRow())
		}
		before = slices.DeleteFunc(before, func(other *variable) bool { return other == row })
		row.file = model.Value{There: true, Name: member.Name, Text: member.Value.Text}
		s.drafts.Follow(v.place(row), s.base, row.file)
		rows = append(rows, row)
	}
	for _, row := range before {
		row.file = model.Value{}
		s.drafts.Follow(v.place(row), s.base, row.file)
		if v.draft(row) == nil && !row.typing() {
			continue
		}
		at := 0 // behind what it stood behind
		if i := slices.Index(v.rows, row); i > 0 {
			if at = slices.Index(rows, v.rows[i-1]) + 1; at == 0 {
				at = len(rows)
			}
		}
		rows = slices.Insert(rows, at, row)
	}
	v.rows, v.spare = rows, nil
	v.arrange()
}

// restore makes the rows of what was typed before another entry was shown.
func (v *variables) restore() {
	for _, d := range v.setup.typed() {
		if d.Field != v.name || slices.ContainsFunc(v.rows, func(row *variable) bool { return row.id == d.Row }) {
			continue
		}
		at := slices.IndexFunc(v.rows, func(row *variable) bool { return row.file == d.Was && d.Was.There && v.draft(row) == nil })
		if at < 0 {
			at, v.rows = len(v.rows), append(v.rows, v.row(d.Row))
		}
		v.rows[at].id, v.rows[at].file = d.Row, d.Was
	}
}

// named finds the row that a name of the file belongs to: the one that had it, else one that was given it and that the file does not have
// under its name of before.
func (v *variables) named(name string, rows []*variable, members []Member) *variable {
	for _, row := range rows {
		if row.file.There && row.file.Name == name {
			return row
		}
	}
	for _, row := range rows {
		d := v.draft(row)
		lost := !row.file.There || !slices.ContainsFunc(members, func(m Member) bool { return m.Name == row.file.Name })
		if d != nil && lost && (d.Sent().Name == name || d.Now.Name == name) {
			return row
		}
	}
	return nil
}
