package editor

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// kind is the choice between a program on this computer and a web address.
type kind struct {
	choice   *kit.Choice
	note     *kit.Notes
	box      fyne.CanvasObject
	inFile   int  // the kind of the entry in the file
	switched bool // the user has chosen the other kind, but its main field is not saved yet
}

// The kinds of servers, in the order of the choice.
const (
	kindProgram = iota
	kindAddress
)

// newKind returns the choice. It calls changed when the user has chosen.
func newKind(changed func()) *kind {
	k := &kind{choice: kit.NewChoice(lang.L("A program on this computer"), lang.L("A web address")), note: kit.NewNotes()}
	k.choice.OnChosen = func(chosen int) {
		k.switched = chosen != k.inFile
		changed()
	}
	k.box = labelled("", "", k.choice, k.note.Root)
	return k
}

// program reports whether the form shows a program, not a remote server.
func (k *kind) program() bool { return k.choice.Chosen() == kindProgram }

// follow takes the kind of the entry in the file, unless the user has chosen the other one.
func (k *kind) follow(entry *jsonc.Node) {
	before := k.inFile
	k.inFile = kindOf(entry)
	if before != k.inFile && k.switched {
		k.switched = false // the entry in the file now has the other kind
	}
	if !k.switched {
		k.choice.Follow(k.inFile)
	}
}

// kindOf returns the kind of an entry.
func kindOf(entry *jsonc.Node) int {
	for _, key := range []string{"transport", "type"} {
		switch entry.Member(key).Str() {
		case "stdio":
			return kindProgram
		case "http", "sse", "streamable-http", "streamableHttp":
			return kindAddress
		}
	}
	if entry.Member("url") != nil {
		return kindAddress
	}
	return kindProgram
}

// switchBack chooses the other kind again, if its command or address was typed and not applied.
func (s *setup) switchBack() {
	k := s.form.kind
	k.inFile = kindOf(s.entry)
	other, field := kindAddress, s.form.url
	if k.inFile == kindAddress {
		other, field = kindProgram, s.form.command
	}
	if k.switched = field.draft() != nil; k.switched {
		k.choice.Follow(other)
	}
}

// idle reports whether a field belongs to a kind of server that is neither chosen in the form nor in the file. Text in
// such a field is not saved.
func (s *setup) idle(field string) bool {
	f, ok := config.ServerField(field)
	if !ok || f.For == "" {
		return false // it belongs to both kinds
	}
	kind := kindProgram
	if f.For == config.TransportHTTP {
		kind = kindAddress
	}
	return kind != s.form.kind.choice.Chosen() && kind != s.form.kind.inFile
}

// switchOps returns the operations that remove the fields of the old kind, once the main field of the new kind is
// filled in.
func (s *setup) switchOps(d *model.Draft) []edit.Op {
	old, main := config.TransportStdio, "url"
	if s.form.kind.program() {
		old, main = config.TransportHTTP, "command"
	}
	if d.Field != main || !s.form.kind.switched || strings.TrimSpace(d.Now.Text) == "" {
		return nil
	}
	var ops []edit.Op
	for _, f := range config.ServerFields() {
		if s.entry.Member(f.Name) != nil && (f.For == old || f.Kind == config.KindTransport) {
			ops = append(ops, edit.ClearField{Target: s.view.Choice, Field: []string{f.Name}})
		}
	}
	return ops
}

// showKind shows the fields of the chosen kind.
func (f *form) showKind() {
	program, switched := f.kind.program(), f.kind.switched
	kit.SetVisible(f.command.box, program)
	kit.SetVisible(f.arguments.box, program && !switched)
	kit.SetVisible(f.cwd.box, program && !switched)
	kit.SetVisible(f.env.box, program && !switched)
	kit.SetVisible(f.url.box, !program)
	kit.SetVisible(f.headers.box, !program && !switched)
	kit.SetVisible(f.transportAt, !program && !switched)
	for _, w := range f.switches {
		if field, ok := config.ServerField(w.field); ok && field.For != "" {
			kit.SetVisible(w.box, program == (field.For == config.TransportStdio) && !switched)
		}
	}
	var say []kit.Note
	if switched {
		say = []kit.Note{{State: theme.StateIdle, Text: lang.L("What you fill in replaces what is in the file now.")}}
	}
	f.kind.note.Set(say)
}

// followTransport shows how the file says that an address is spoken to.
func (f *form) followTransport(entry *jsonc.Node) {
	transport := 0
	for _, key := range []string{"transport", "type"} {
		if entry.Member(key).Str() == "sse" {
			transport = 1
		}
	}
	f.transport.Follow(transport)
}
