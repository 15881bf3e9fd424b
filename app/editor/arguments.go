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
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// arguments is the list of a command's arguments. In the file it is one array. An edit changes only the elements that
// differ.
type arguments struct {
	setup *setup
	file  model.Value
	odd   bool // the file has something other than an array
	rows  []*argument
	spare []*argumentLine // widgets of the entry that was shown before, to be reused

	list  *fyne.Container
	add   *kit.Button
	notes *kit.Notes
	box   fyne.CanvasObject

	// the arguments that are folders, which are shown with what the server needs from the user
	folders    *fyne.Container
	foldersBox fyne.CanvasObject
}

// argument is a row of the list.
type argument struct {
	text   string
	file   *jsonc.Node // the value that the row was made from; nil if the user has added the row
	folder bool        // it was a folder when it was read from the file
	*argumentLine
}

// begun reports whether the row is new and still empty.
func (r *argument) begun() bool { return r.file == nil && r.text == "" }

// argumentLine holds the widgets of an argument. They are reused, because making them takes longer than anything else
// when an entry is shown.
type argumentLine struct {
	input            *kit.SecretInput
	notes            *kit.Notes
	up, down, remove *kit.Button
	pick             *kit.Button // chooses a folder
	box              fyne.CanvasObject
}

func newArguments(s *setup) *arguments {
	a := &arguments{setup: s, list: kit.Column(kit.Gap), notes: kit.NewNotes()}
	a.add = kit.NewButton(lang.L("Add argument"), widget.MediumImportance, func() {
		row := a.insert(len(a.rows), "", nil)
		a.arrange()
		kit.Focus(row.input.Input)
	})
	a.add.Icon = base.ContentAddIcon()
	a.folders = kit.Column(kit.Gap)
	a.foldersBox = labelled(lang.L("Folders"), "", a.folders)
	a.box = labelled(s.form.labels["args"], "", a.list, a.notes.Root, kit.Row(0, a.add))
	return a
}

// insert adds a row at an index and returns it.
func (a *arguments) insert(at int, text string, file *jsonc.Node) *argument {
	s, row := a.setup, &argument{text: text, file: file, argumentLine: a.line()}
	s.listen(row.input, func(text string) {
		row.text = text
		a.typed()
	}, a.draft, func() bool { return a.secret(row) }, func() { a.dropEmpty(row) })
	row.input.OnSubmitted = func(string) {
		s.commit()
		// Enter adds an empty argument below and moves the focus to it.
		next := a.insert(slices.Index(a.rows, row)+1, "", nil)
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
	row.up.OnTapped = func() { a.move(row, -1) }
	row.down.OnTapped = func() { a.move(row, 1) }
	row.remove.OnTapped = func() { a.remove(row) }
	row.pick.OnTapped = func() {
		s.choose(s.program.PickFolder, func(path string) {
			row.text = path
			a.take(a.value())
		})
	}
	a.rows = slices.Insert(a.rows, at, row)
	row.input.Show(row.text, a.secret(row))
	return row
}

func (a *arguments) key() string               { return "args" }
func (a *arguments) local(*model.Draft) string { return "" }
func (a *arguments) focus(*model.Draft) {
	if len(a.rows) > 0 {
		a.setup.form.how.set(true)
		kit.Focus(a.rows[0].input.Input)
	}
}

// focusBlank focuses the first argument that has to be filled in or, if there is none, the first argument.
func (a *arguments) focusBlank() {
	at := max(0, slices.IndexFunc(a.rows, func(row *argument) bool {
		return len(foreign.MissingIn(&config.Server{Args: []string{row.text}})) > 0
	}))
	if !a.rows[at].folder {
		a.setup.form.how.set(true)
	}
	kit.Focus(a.rows[at].input.Input)
}

func (a *arguments) place() model.Place {
	return model.Place{Server: a.setup.view.Choice, Field: "args"}
}
func (a *arguments) draft() *model.Draft { return a.setup.drafts.At(a.place()) }
func (a *arguments) take(now model.Value) *model.Draft {
	if a.odd {
		return nil
	}
	return a.setup.drafts.Type(a.place(), a.setup.base, a.file, now)
}

// set changes all arguments, as if the user had typed them.
func (a *arguments) set(texts []string) *model.Draft {
	return a.take(model.Value{There: true, Text: string(jsonc.Value(texts))})
}

// typed updates the draft from the rows.
func (a *arguments) typed() {
	a.take(a.value())
	a.setup.edited()
}

// element returns an argument as JSON.
func element(n *jsonc.Node) json.RawMessage {
	switch text := n.Str(); {
	case !n.Is(jsonc.String):
		return json.RawMessage(n.Compact())
	case strings.ContainsRune(text, utf8.RuneError): // it could not be written exactly
		return json.RawMessage(n.Raw())
	default:
		return jsonc.Value(text)
	}
}

func listOf(elements []json.RawMessage) model.Value {
	if len(elements) == 0 {
		return model.Value{There: true, Text: model.EmptyList}
	}
	return model.Value{There: true, Text: string(jsonc.Value(elements))}
}

// elementsOf returns the elements of a list; the reverse of listOf.
func elementsOf(list model.Value) []*jsonc.Node { return jsonc.Parse([]byte(list.Text)).Root.Children }

// value returns the list that the rows show.
func (a *arguments) value() model.Value {
	var elements []json.RawMessage
	for _, row := range a.filled() {
		if row.file != nil && row.text == textOf(row.file) {
			elements = append(elements, element(row.file))
		} else {
			elements = append(elements, jsonc.Value(row.text))
		}
	}
	return listOf(elements)
}

// filled returns the rows without new empty ones.
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

func (a *arguments) follow(entry *jsonc.Node) {
	value := entry.Member("args")
	a.odd = value != nil && !value.Is(jsonc.Array)
	var elements []json.RawMessage
	if value.Is(jsonc.Array) {
		for _, n := range value.Children {
			elements = append(elements, element(n))
		}
	}
	a.file = listOf(elements)
	a.setup.drafts.Follow(a.place(), a.setup.base, a.file)
	shown := a.file
	if d := a.draft(); d != nil {
		shown = d.Now
	}
	a.fill(shown)
	if a.draft() == nil { // a row stays where it is while something is typed
		a.findFolders(entry.Member("command").Str())
	}
	a.spare = nil // Fyne does not update what is not in the window, so these lines may look outdated
	a.arrange()
}

// fill makes the rows show a list. Rows keep their widgets, and so the focus.
func (a *arguments) fill(list model.Value) {
	same := a.value() == list
	if !same {
		a.rows = slices.DeleteFunc(a.rows, func(row *argument) bool {
			return row.begun() && !kit.HoldsKeyboard(row.input.Input)
		})
	}
	at := 0
	for _, n := range elementsOf(list) {
		for at < len(a.rows) && a.rows[at].begun() {
			at++
		}
		if at == len(a.rows) {
			a.insert(at, textOf(n), n)
		} else {
			a.rows[at].text, a.rows[at].file = textOf(n), n
		}
		at++
	}
	for _, row := range a.rows[at:] {
		if kit.HoldsKeyboard(row.input.Input) { // it stays and is empty, so that the focus stays in the list
			row.text, row.file = "", nil
		}
	}
	a.rows = append(a.rows[:at], slices.DeleteFunc(a.rows[at:], func(row *argument) bool { return !row.begun() })...)
}

// line returns the widgets for an argument.
func (a *arguments) line() *argumentLine {
	if len(a.spare) > 0 {
		line := a.spare[0] // the first one, so that most lines stay where they were
		a.spare = a.spare[1:]
		return line
	}
	line := &argumentLine{input: kit.NewSecretInput(""), notes: kit.NewNotes()}
	line.up = kit.NewIconButton(base.MoveUpIcon(), lang.L("Move up"), nil)
	line.down = kit.NewIconButton(base.MoveDownIcon(), lang.L("Move down"), nil)
	line.remove = kit.NewIconButton(base.ContentClearIcon(), lang.L("Remove"), nil)
	line.pick = kit.NewIconButton(base.FolderOpenIcon(), lang.L("Choose a folder"), nil)
	line.box = kit.Column(kit.GapTight,
		trailed(line.input.Input, line.input.Eye, line.pick, line.up, line.down, line.remove),
		line.notes.Root)
	return line
}

// forget prepares the list for another entry, which reuses the widgets.
func (a *arguments) forget() {
	a.spare = nil
	for _, row := range a.rows {
		held := letGo(row.up, row.down, row.remove, row.pick, row.input.Eye)
		if !held && !row.input.Used() {
			a.spare = append(a.spare, row.argumentLine)
		}
	}
	a.file, a.odd, a.rows = model.Value{}, false, nil
}

// secret reports whether an argument must be hidden, because it looks like a secret or follows an argument that
// announces one, such as --token.
func (a *arguments) secret(row *argument) bool {
	before := ""
	if i := slices.Index(a.rows, row); i > 0 {
		before = a.rows[i-1].text
	}
	return secretAfter(before, row.text)
}

func secretAfter(before, text string) bool {
	return secret.Value(text) || strings.HasPrefix(before, "-") && !strings.Contains(before, "=") &&
		!strings.HasPrefix(text, "-") &&
		secret.Key(before) && secret.Pair(before, text)
}

// words returns a list as text, with its secrets hidden.
func (a *arguments) words(list model.Value) string {
	var said []string
	before := ""
	for _, n := range elementsOf(list) {
		text := textOf(n)
		said = append(said, masked(text, func(text string) bool { return secretAfter(before, text) }))
		before = text
	}
	return strings.Join(said, " ")
}

// arrange puts the rows into the list in their order.
func (a *arguments) arrange() {
	var objects, folders []fyne.CanvasObject
	for i, row := range a.rows {
		kit.SetEnabled(row.up, i > 0)
		kit.SetEnabled(row.down, i < len(a.rows)-1)
		for _, button := range []*kit.Button{row.up, row.down} {
			kit.SetVisible(button, !row.folder)
		}
		kit.SetVisible(row.pick, row.folder)
		if row.folder {
			folders = append(folders, row.box)
		} else {
			objects = append(objects, row.box)
		}
	}
	kit.SetVisible(a.foldersBox, len(folders) > 0 && a.box.Visible())
	if !slices.Equal(objects, a.list.Objects) || !slices.Equal(folders, a.folders.Objects) {
		a.list.Objects, a.folders.Objects = objects, folders
		a.setup.arrange()
	}
}

// findFolders finds the rows that are folders.
func (a *arguments) findFolders(command string) {
	server := config.Server{Command: command}
	for _, row := range a.rows {
		server.Args = append(server.Args, row.text)
	}
	found := foreign.FoldersIn(&server)
	for i, row := range a.rows {
		row.folder = slices.Contains(found, i)
	}
}

// move moves an argument up or down.
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
		return // the row belongs to another entry or was removed already
	}
	a.drop(row)
	// The focus stays in the list.
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

// dropEmpty removes a new row that was left empty.
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

// paste inserts each line of the text as an argument. It returns false for fewer than two lines.
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
		last = a.insert(at+1+i, line, nil)
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
	a.notes.Set(append(a.setup.draftNotes(a.draft(), a.file, a.words), a.setup.notesOf(own)...))
	kit.SetVisible(a.add, !a.odd)
	a.arrange()
	return others
}

func (a *arguments) showRow(row *argument, problems []problem) {
	row.input.Show(row.text, a.secret(row))
	row.notes.Set(slices.Concat(a.setup.notesOf(problems), a.setup.longNote(row.input),
		a.setup.referenceNotes("", row.text, problems)))
}
