package editor

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// form holds the widgets of the setup.
type form struct {
	page   *kit.Page
	labels map[string]string // see live.Fields

	banner     *kit.Notes // problems of the entry as a whole
	bannerCard fyne.CanvasObject

	kind *kind

	command   *textField
	arguments *arguments
	cwd       *textField
	url       *textField
	headers   *variables
	env       *variables

	startup, call *textField

	how, advanced *fold
	transport     *kit.Choice
	transportAt   fyne.CanvasObject
	switches      []*fieldSwitch
	common        *kit.Lines // what apps have in common that share the server
}

// fieldSwitch is the switch of a field that is true or false.
type fieldSwitch struct {
	*kit.Switch
	field    string
	opposite bool // the switch is on while the field is false
	box      fyne.CanvasObject
}

// build makes the widgets.
func (s *setup) build() {
	f := &s.form
	f.labels = live.Fields()
	f.banner = kit.NewNotes()
	f.bannerCard = kit.NewCard(f.banner.Root)
	f.bannerCard.Hide()

	f.kind = newKind(s.check)

	pick := s.picker(lang.L("Choose a file"), s.program.PickFile, func() *textField { return f.command })
	f.command = newTextField(s, "command",
		"", "npx", pick)
	f.command.input.OnPaste = func(text string) bool {
		// Fyne would keep the backslashes at line ends.
		if command, args, ok := splitCommand(text); ok {
			line := joined(command, args)
			f.command.input.Show(line, false)
			s.look.asked = false
			s.line.pasted = text
			f.command.typed(line)
			return true
		}
		return false
	}
	f.arguments = newArguments(s)
	folder := s.picker(lang.L("Choose a folder"), s.program.PickFolder, func() *textField { return f.cwd })
	f.cwd = newTextField(s, "cwd", "", "", folder)

	f.url = newTextField(s, "url", "", "https://example.com/mcp")
	f.headers, f.env = newVariables(s, "headers"), newVariables(s, "env")

	f.startup = newTextField(s, "startupTimeout", lang.L("Empty: 10, or 120 if it has to download first."), "")
	f.call = newTextField(s, "callTimeout", lang.L("Empty or 0: no limit."), "")
	s.buildAdvanced()
	f.how = newFold(s, lang.L("How it starts"), kit.NewCard(
		kit.Column(kit.GapWide, f.kind.box, f.command.box, f.arguments.box, f.cwd.box, f.url.box)))
	kept := kit.NewParagraph(lang.L("Keys and passwords go into the keychain of this computer."), kit.Small())
	needs := section(f.labels["env"], kept, f.env.box, f.headers.box, f.arguments.foldersBox)
	f.page = kit.NewPage(kit.Inset(kit.Column(kit.GapWide, f.bannerCard, needs, kit.Row(0, kit.Flush(f.how.button, true, false)), f.how.box,
		kit.Row(0, kit.Flush(f.advanced.button, true, false)), f.advanced.box), kit.GapBlock, kit.GapEdge))
	s.bar = kit.NewApplyBar(s.insist, func() { s.discard() })
	s.bar.OnFocus(s.moved)
	f.page.OnFocus = s.moved
	s.root = kit.Column(0, kit.Rest(f.page), widget.NewSeparator(), kit.Inset(s.bar.Root, kit.Gap, kit.GapEdge))
	s.units = []unit{f.command, f.arguments, f.cwd, f.url, f.headers, f.env, f.startup, f.call}
}

func (s *setup) buildAdvanced() {
	f := &s.form
	f.transport = kit.NewChoice(lang.L("Standard"), lang.L("Older (SSE)"))
	f.transport.OnChosen = func(index int) {
		transport := "http"
		if index == 1 {
			transport = "sse"
		}
		s.replace([]edit.Op{edit.SetField{Target: s.view.Choice, Field: []string{"transport"},
			Value: jsonc.Value(transport)}}, nil)
	}
	f.transportAt = labelled(lang.L("Connection type"), "", f.transport)
	share := s.newSwitch("share", lang.L("Run it once for all AI apps"), "")
	f.common = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	share.box = labelled(f.labels["share"], "", f.common, share.Switch)
	f.switches = []*fieldSwitch{
		s.newSwitch("inheritEnv", lang.L("Pass on everything from the AI app"),
			lang.L("It then gets the keys of other programs, too.")),
		s.newSwitch("trustToolChanges", lang.L("Allow tool changes without asking"), ""),
		s.newSwitch("askFirst", lang.L("Ask me before its tools act"), ""),
		share,
		s.newSwitch("disabled", lang.L("Switched on"), ""),
	}
	limits := labelled(lang.L("Time limits, in seconds"), "", kit.NewHalves(f.startup.box, f.call.box))
	rows := kit.Column(kit.GapWide, limits, f.transportAt, f.switches[0].box)
	for _, other := range f.switches[1:] {
		rows.Add(other.box)
	}
	rows.Add(kit.Row(0, kit.NewButton(lang.L("As JSON"), widget.MediumImportance, func() { s.screen.Choose(model.TabJSON) })))
	f.advanced = newFold(s, lang.L("Advanced"), kit.NewCard(rows))
}

// newSwitch returns the switch of a field. The switch of "disabled" is on while the server is not disabled.
func (s *setup) newSwitch(field, name, explanation string) *fieldSwitch {
	w := &fieldSwitch{field: field, opposite: field == "disabled"}
	w.Switch = kit.NewNamedSwitch(name, func(on bool) {
		ops := edit.Turn(s.view.Choice, field, on != w.opposite)
		if field == "share" { // without the field, Workbench decides
			ops = []edit.Op{edit.SetField{Target: s.view.Choice, Field: []string{field}, Value: jsonc.Value(on)}}
		}
		s.replace(ops, nil)
	})
	w.box = labelled(s.form.labels[field], explanation, w.Switch)
	return w
}

// follow sets the switch to the value in an entry. absent is the value if the entry does not have the field.
func (w *fieldSwitch) follow(entry *jsonc.Node, absent bool) {
	value := entry.Member(w.field)
	w.Follow((value.Is(jsonc.True) || value == nil && absent) != w.opposite)
}

// picker returns the button that asks for a path.
func (s *setup) picker(spoken string, ask func(func(string)), field func() *textField) fyne.CanvasObject {
	return kit.NewIconButton(base.FolderOpenIcon(), spoken, func() {
		s.choose(ask, func(path string) { field().set(path) })
	})
}

// choose asks for a path and takes it, unless another server is shown then.
func (s *setup) choose(ask func(func(string)), take func(path string)) {
	at := s.view.Choice
	ask(func(path string) {
		if at != s.view.Choice {
			s.program.NotSaved(at, errors.New(lang.L("Another server is shown now.")))
			return
		}
		take(path)
		s.changed()
	})
}

// commandNotes say whether the program was found, and offer to split a command line.
func (s *setup) commandNotes(own int) []kit.Note {
	if s.line.splits(s.form.command.text()) {
		return []kit.Note{{State: theme.StateNotice, Text: lang.L("This is a whole command line."),
			Acts: []kit.Act{{Label: lang.L("Split into command and arguments"), Do: s.split}}}}
	}
	switch {
	case own > 0 || strings.TrimSpace(s.form.command.text()) == "":
		return nil
	case !s.look.done: // the line is there from the start, so that the fields below stay where they are
		return []kit.Note{{State: theme.StateIdle, Text: lang.L("Looking for the program…")}}
	case s.look.err == nil:
		return []kit.Note{{State: theme.StateConnected,
			Text: lang.L("Found: {{.Path}}", map[string]any{"Path": kit.Line(s.look.path)})}}
	}
	if errors.Is(s.look.err, process.ErrNotFound) { // uses the words of the warning that the saved entry gets
		return []kit.Note{{State: theme.StateNotice,
			Text: lang.L("“{{.Command}}” was not found on this computer.",
				map[string]any{"Command": kit.Line(s.form.command.text())}),
			Hint: lang.L("Install it, or write its full path.")}}
	}
	return []kit.Note{{State: theme.StateWrong, Text: kit.Line(kit.SayError(s.look.err))}}
}

// split splits the command line. Existing arguments come after the new ones.
func (s *setup) split() {
	command, args, ok := s.line.parts(s.form.command.text())
	if !ok {
		return
	}
	s.line.pasted = ""
	texts := append(args, s.form.arguments.texts()...)
	drafts := slices.DeleteFunc([]*model.Draft{s.form.command.set(command), s.form.arguments.set(texts)},
		func(d *model.Draft) bool { return d == nil })
	var ops []edit.Op
	for _, d := range drafts {
		ops = append(ops, s.ops(d)...)
	}
	s.replace(ops, nil, drafts...)
}

// showRest shows the problems that belong to no field, and why the entry cannot be edited.
func (s *setup) showRest(rest []problem) {
	var say []kit.Note
	if s.view.Problem != "" {
		said := kit.Note{State: theme.StateWrong, Text: s.view.Problem}
		if s.view.Gone {
			said = kit.Note{State: theme.StateNotice, Text: lang.L("This server is not in the file any more.")}
		}
		said.Acts = []kit.Act{{Label: lang.L("Show the file"), Do: s.program.OpenFile}}
		say = append(say, said)
		rest = nil
	}
	if s.failed != "" {
		say = append(say, kit.Note{State: theme.StateWrong,
			Text: lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": s.failed})})
	}
	for _, p := range rest {
		said := s.noteOf(p)
		if name, ok := s.memberAt(p.at); ok && p.Fix == nil {
			said.Acts = append(said.Acts, kit.Act{Label: lang.L("Remove"), Do: func() {
				s.replace([]edit.Op{edit.ClearField{Target: s.view.Choice, Field: []string{name}}}, nil)
			}})
		}
		say = append(say, said)
	}
	s.form.banner.Set(say)
	kit.SetVisible(s.form.bannerCard, len(say) > 0)
}

// memberAt returns the name of the member of the entry that is at a place.
func (s *setup) memberAt(at string) (string, bool) {
	for _, name := range s.entry.Keys() {
		if at == memberPath(name) {
			return name, true
		}
	}
	return "", false
}
