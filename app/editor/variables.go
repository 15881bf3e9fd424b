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
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// variables is a table of names and values: the environment of a program, or the headers for a web address. Each row
// has its own draft, so that comments and the order in the file are kept.
type variables struct {
	setup *setup
	name  string // "env" or "headers"
	odd   bool   // the file has something other than an object
	rows  []*variable
	spare []*variableLine // widgets of the entry that was shown before, to be reused

	list  *fyne.Container
	add   *kit.Button
	notes *kit.Notes
	box   fyne.CanvasObject
}

// variable is a row.
type variable struct {
	id   int
	file model.Value // value in the file; the zero Value if it is not there yet

	keeping    bool   // the value is being moved into the keychain or out of it
	keepFailed string // why moving the value failed
	inFile     bool   // the user wants the value in the file, although it looks secret
	*variableLine
}

// variableLine holds the widgets of a row.
type variableLine struct {
	nameInput  *kit.SecretInput
	valueInput *kit.SecretInput
	stays      *kit.Check
	remove     *kit.Button
	notes      *kit.Notes
	box        fyne.CanvasObject
}

func newVariables(s *setup, key string) *variables {
	v := &variables{setup: s, name: key, list: kit.Column(kit.Gap), notes: kit.NewNotes()}
	v.add = kit.NewButton(lang.L("Add a key or value"), widget.MediumImportance, func() {
		row := v.row(s.drafts.NewRow())
		v.rows = append(v.rows, row)
		v.arrange()
		kit.Focus(row.nameInput.Input)
	})
	v.add.Icon = base.ContentAddIcon()
	v.box = kit.Column(kit.Gap, v.list, v.notes.Root, kit.Row(0, v.add))
	return v
}

// focusValue focuses the value of a name, for which it adds a row if there is none. Without a name it focuses the
// first value that is empty or, if there is none, the button that adds a row.
func (v *variables) focusValue(name string) {
	for _, row := range v.rows {
		now := v.now(row)
		if name != "" && sameName(v.name, now.Name, name) || name == "" && now.Text == "" {
			kit.Focus(row.valueInput.Input)
			return
		}
	}
	if name == "" || v.odd {
		kit.Focus(v.add)
		return
	}
	row := v.row(v.setup.drafts.NewRow())
	v.rows = append(v.rows, row)
	v.set(row, name, "")
	v.setup.edited()
	kit.Focus(row.valueInput.Input)
}

func (v *variables) key() string { return v.name }

func (v *variables) focus(d *model.Draft) {
	for _, row := range v.rows {
		switch {
		case row.id != d.Row:
		case v.local(d) != "":
			kit.Focus(row.nameInput.Input)
		default:
			kit.Focus(row.valueInput.Input)
		}
	}
}

func (v *variables) place(row *variable) model.Place {
	return model.Place{Server: v.setup.view.Choice, Field: v.name, Row: row.id}
}

func (v *variables) draft(row *variable) *model.Draft { return v.setup.drafts.At(v.place(row)) }

// now returns what a row shows.
func (v *variables) now(row *variable) model.Value {
	if d := v.draft(row); d != nil && d.Now.There {
		return d.Now
	}
	return row.file
}

// set changes what is typed in a row.
func (v *variables) set(row *variable, name, text string) {
	now := model.Value{There: row.file.There || name != "" || text != "", Name: name, Text: text}
	v.setup.drafts.Type(v.place(row), v.setup.base, row.file, now)
}

// row makes a row without adding it to the table.
func (v *variables) row(id int) *variable {
	s, row := v.setup, &variable{id: id, variableLine: v.line()}
	draft, left := func() *model.Draft { return v.draft(row) }, func() { v.dropEmpty(row) }
	s.listen(row.nameInput, func(name string) {
		v.set(row, name, v.now(row).Text)
		s.edited()
	}, draft, func() bool { return false }, left)
	s.listen(row.valueInput, func(text string) {
		row.keepFailed = ""
		v.set(row, v.now(row).Name, text)
		s.edited()
	}, draft, func() bool { return v.secret(row) }, left)
	row.nameInput.OnSubmitted = func(string) { kit.Focus(row.valueInput.Input) }
	row.nameInput.OnPaste = func(text string) bool { return v.paste(row, text) }
	row.stays.OnChanged = func(stays bool) { v.setKept(row, !stays) }
	row.remove.OnTapped = func() { v.remove(row) }
	return row
}

// line returns the widgets for a row.
func (v *variables) line() *variableLine {
	if len(v.spare) > 0 {
		line := v.spare[0]
		v.spare = v.spare[1:]
		return line
	}
	line := &variableLine{nameInput: kit.NewSecretInput(lang.L("Name")), valueInput: kit.NewSecretInput(lang.L("Value")),
		notes: kit.NewNotes()}
	line.stays = kit.NewCheck(lang.L("Keep it in the file"), nil)
	line.remove = kit.NewIconButton(base.ContentClearIcon(), lang.L("Remove"), nil)
	fields := kit.NewShared(0.36, kit.Gap, line.nameInput.Input,
		trailed(line.valueInput.Input, line.valueInput.Eye, line.remove))
	line.box = kit.Column(kit.GapHair, fields, line.stays, line.notes.Root)
	return line
}

// forget prepares the table for another entry, which reuses the widgets.
func (v *variables) forget() {
	v.spare = nil
	for _, row := range v.rows {
		held := letGo(row.stays, row.remove, row.nameInput.Eye, row.valueInput.Eye)
		if !held && !row.nameInput.Used() && !row.valueInput.Used() {
			v.spare = append(v.spare, row.variableLine)
		}
	}
	v.rows = nil
}

// dropEmpty removes a new row that was left empty.
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

// secret reports whether the value must be hidden.
func (v *variables) secret(row *variable) bool {
	now := v.now(row)
	return isSecret(now.Name, now.Text) || keptName(now.Text) != ""
}

func isSecret(name, value string) bool {
	return secret.Pair(name, value) || secret.Value(value)
}

// paste inserts lines such as NAME=value, which .env files and instructions have. It returns false if the text has no
// such line.
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
		return // the row belongs to another entry or was removed already
	}
	v.setup.drafts.Type(v.place(row), v.setup.base, row.file, model.Value{})
	if !row.file.There {
		v.drop(row)
	}
	v.arrange()
	// The focus stays in the table.
	if shown = slices.Delete(shown, i, i+1); len(shown) > 0 {
		kit.Focus(shown[min(i, len(shown)-1)].nameInput.Input)
	} else {
		kit.Focus(v.add)
	}
	v.setup.changed()
}

// removed reports whether the user has removed a row, so that it is hidden. A row whose removal failed is shown again.
func (v *variables) removed(row *variable) bool {
	d := v.draft(row)
	return d != nil && !d.Now.There && d.Err == nil
}

// local says why a row cannot even be written as JSON.
func (v *variables) local(d *model.Draft) string {
	switch {
	case !d.Now.There:
		return ""
	case d.Now.Name == "":
		return lang.L("Write its name.")
	}
	for _, row := range v.rows {
		if row.id != d.Row && !v.removed(row) && sameName(v.name, v.now(row).Name, d.Now.Name) {
			return lang.L("There is a value of that name already.")
		}
	}
	return ""
}

func sameName(key, a, b string) bool {
	return a == b || key == "headers" && strings.EqualFold(a, b)
}

// typing reports whether the row has the focus, also while another program is in front.
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
	v.notes.Set(v.setup.notesOf(own))
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
	if kept {
		row.valueInput.Eye.Hide() // the file has only a reference
	}
	row.stays.Follow(!kept && !row.keeping && (row.keepFailed != "" || !v.toKeep(row)))
	d := v.draft(row)
	asking := row.keeping || d != nil && d.Held // text typed now would differ from what the keychain stores
	row.nameInput.Lock(asking)
	row.valueInput.Lock(asking)
	kit.SetVisible(row.stays, kept || row.keeping || v.secret(row))
	say := s.draftNotes(d, row.file, func(value model.Value) string {
		text := masked(value.Text, func(text string) bool { return isSecret(value.Name, text) || keptName(text) != "" })
		if value.There && row.file.Name != now.Name {
			text = value.Name + " = " + text
		}
		return text
	})
	if row.keeping {
		say = append(say, kit.Note{State: theme.StateWorking, Text: lang.L("Asking your keychain…")})
	}
	if row.keepFailed != "" {
		say = append(say, v.failedNote(row))
	}
	of := ""
	if v.name == "env" {
		of = now.Name
	}
	say = slices.Concat(say, s.notesOf(problems), s.longNote(row.valueInput))
	if !kept || s.hasSecret(keptName(now.Text)) != model.SecretPresent { // that is where keys are
		say = append(say, s.referenceNotes(of, now.Text, problems)...)
	}
	row.notes.Set(say)
}

// follow updates the rows from the file. A row that is no longer in the file stays while something is typed in it.
func (v *variables) follow(entry *jsonc.Node) {
	s, table := v.setup, entry.Member(v.name)
	v.odd = table != nil && !table.Is(jsonc.Object)
	v.restore()
	rows, before := []*variable(nil), slices.Clone(v.rows)
	seen := map[string]bool{}
	for _, name := range table.Keys() {
		if seen[name] { // only the first member with a name counts
			continue
		}
		seen[name] = true
		row := v.named(name, before, table)
		if row == nil {
			row = v.row(s.drafts.NewRow())
		}
		before = slices.DeleteFunc(before, func(other *variable) bool { return other == row })
		row.file = model.Value{There: true, Name: name, Text: textOf(table.Member(name))}
		s.drafts.Follow(v.place(row), s.base, row.file)
		rows = append(rows, row)
	}
	for _, row := range before {
		row.file = model.Value{}
		s.drafts.Follow(v.place(row), s.base, row.file)
		if v.draft(row) == nil && !row.typing() {
			continue
		}
		at := 0 // the row stays below the row that was above it
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

// restore makes rows for text that was typed before another entry was shown.
func (v *variables) restore() {
	for _, d := range v.setup.typed() {
		if d.Field != v.name || slices.ContainsFunc(v.rows, func(row *variable) bool { return row.id == d.Row }) {
			continue
		}
		at := slices.IndexFunc(v.rows, func(row *variable) bool {
			return row.file == d.Was && d.Was.There && v.draft(row) == nil
		})
		if at < 0 {
			at, v.rows = len(v.rows), append(v.rows, v.row(d.Row))
		}
		v.rows[at].id, v.rows[at].file = d.Row, d.Was
	}
}

// named returns the row for a name in the file: the row that has had this name or, failing that, a row that was given
// the name and whose old name is no longer in the file.
func (v *variables) named(name string, rows []*variable, table *jsonc.Node) *variable {
	for _, row := range rows {
		if row.file.There && row.file.Name == name {
			return row
		}
	}
	for _, row := range rows {
		d := v.draft(row)
		lost := !row.file.There || table.Member(row.file.Name) == nil
		if d != nil && lost && (d.Sent().Name == name || d.Now.Name == name) {
			return row
		}
	}
	return nil
}
