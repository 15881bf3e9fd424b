package add

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// kindSwitch is a kind of field that only extensions have.
const kindSwitch kind = "switch"

// fromExtension returns a candidate for an extension that was read from a file. It is unpacked only when the user adds
// it.
func fromExtension(x *extension.Extension) *candidate {
	c := &candidate{included: true, extension: x}
	if server, err := x.Server(nil); err == nil {
		c.name = server.Name
	}
	for _, s := range x.Settings {
		f := &field{id: s.Name, label: s.Title, hint: s.Hint, required: s.Required, setting: &s,
			value: strings.Join(s.Default, "\n")}
		f.kind = kindOf(s)
		if s.Multiple {
			f.kind, f.of = kindList, f.kind
		}
		c.fields = append(c.fields, f)
	}
	return c
}

func kindOf(s extension.Setting) kind {
	switch s.Kind {
	case extension.Number:
		return kindText
	case extension.Switch:
		return kindSwitch
	case extension.Folder:
		return kindFolder
	case extension.File:
		return kindFile
	}
	if s.Sensitive {
		return kindSecret
	}
	return kindText
}

// extensionServer returns the entry of an extension with the values of the fields. keep returns what the entry
// contains for a field.
func (c *candidate) extensionServer(keep func(*field, foreign.Part) string) *config.Server {
	answers := map[string][]string{}
	for _, f := range c.fields {
		switch {
		case f.missing():
			answers[f.id] = []string{placeholder(f)}
		case f.kind == kindList:
			answers[f.id] = strings.Split(f.value, "\n")
		default:
			answers[f.id] = []string{keep(f, foreign.Part{Field: "env", Name: f.id})}
		}
	}
	server, err := c.extension.Server(answers)
	if err != nil { // Its values are too long. Without a command it cannot be added.
		return &config.Server{Name: c.name, Transport: config.TransportStdio}
	}
	server.Name = c.name
	return server
}

// brings reports whether a program is part of the extension. Such a program does not exist before the extension is
// added.
func (c *candidate) brings(command string) bool {
	if c.extension == nil {
		return false
	}
	within, err := filepath.Rel(c.extension.Folder(), command)
	return err == nil && filepath.IsLocal(within)
}

// settingProblem returns a text that says why a value is not valid for a setting, or "".
func settingProblem(s *extension.Setting, value string) string {
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		switch err := s.Check(line); {
		case errors.Is(err, extension.ErrNumber):
			return lang.L("Write a number, such as 10")
		case errors.Is(err, extension.ErrTooSmall):
			return lang.L("At least {{.Least}}", map[string]any{"Least": kit.Number(*s.Min)})
		case errors.Is(err, extension.ErrTooLarge):
			return lang.L("At most {{.Most}}", map[string]any{"Most": kit.Number(*s.Max)})
		}
	}
	return ""
}

// fromFile adds to the preview what the user should know before an extension is unpacked.
func (p *preview) fromFile(x *extension.Extension) {
	judged := *p.judged
	// The line below names that folder.
	judged.Settings = slices.DeleteFunc(slices.Clone(judged.Settings), func(s review.Setting) bool {
		return s.Field == "cwd"
	})
	p.judged = &judged
	p.lines = append(p.lines, lang.L(
		"Its files are put into {{.Folder}}.",
		map[string]any{"Folder": x.Folder()}))
}

// maxToolNames is the most tools of an extension that are named.
const maxToolNames = 12

// aboutExtension shows what an extension says about itself.
func aboutExtension(x *extension.Extension) fyne.CanvasObject {
	var facts []string
	facts = append(facts, lang.L("Version {{.Version}}", map[string]any{"Version": x.Version}))
	if x.Author != "" {
		facts = append(facts, lang.L("by {{.Name}}", map[string]any{"Name": x.Author}))
	}
	if needs := extensionNeeds(x); needs != "" {
		facts = append(facts, needs)
	}
	text := kit.Column(kit.GapTight)
	if x.Description != "" {
		text.Add(kit.NewParagraph(x.Description, kit.TextStyle{}))
	}
	text.Add(kit.NewParagraph(kit.Facts(facts...), kit.TextStyle{Color: theme.ColorMuted}))
	if len(x.Tools) > 0 {
		names := kit.SayList(x.Tools[:min(len(x.Tools), maxToolNames)])
		if len(x.Tools) > maxToolNames {
			names += ", …"
		}
		text.Add(kit.NewParagraph(lang.N("Lists {{.Count}} tools: {{.Names}}", len(x.Tools),
			map[string]any{"Count": len(x.Tools), "Names": names}), kit.TextStyle{Color: theme.ColorMuted}))
	}
	text.Add(kit.Inset(kit.Sign(theme.StateNotice,
		kit.NewParagraph(lang.L("This comes from a file, and nobody has checked it. Once started, it can do everything "+
			"that you can. Add it only if you trust where you got it."), kit.TextStyle{Size: theme.SizeSmall})), kit.GapTight,
		0))
	return text
}

// extensionNeeds returns a text about the runtime that an extension needs.
func extensionNeeds(x *extension.Extension) string {
	name := ""
	switch x.Type {
	case extension.Node:
		name = "Node.js"
	case extension.Python:
		name = "Python"
	case extension.UV:
		return lang.L("Needs {{.Name}}", map[string]any{"Name": "uv"})
	default:
		return lang.L("Needs nothing else")
	}
	if x.Runtime != "" {
		name += " " + x.Runtime
	}
	return lang.L("Needs {{.Name}}", map[string]any{"Name": name})
}

// placed are the files of extensions that were unpacked for servers that are not in the configuration yet.
type placed struct {
	ctx    context.Context
	cancel context.CancelFunc
	remove []func()
}

// giveUp removes all files again and cancels the unpacking. It does nothing if p is nil.
func (p *placed) giveUp() {
	if p == nil {
		return
	}
	p.cancel()
	for _, remove := range p.remove {
		remove()
	}
	p.remove = nil
}

// unpack unpacks extensions, one after the other. Then it calls done, unless unpacking failed or the user has given
// up.
func (r *reviewPage) unpack(p *placed, list []*extension.Extension, done func()) {
	if len(list) == 0 {
		done()
		return
	}
	r.dialog.program.Unpack(p.ctx, list[0], func(remove func(), err error) {
		if remove != nil {
			p.remove = append(p.remove, remove)
		}
		switch {
		case p.ctx.Err() != nil: // The user has given up meanwhile.
			p.giveUp()
		case err != nil:
			r.fail(kit.ErrorSentence(err))
		default:
			r.unpack(p, list[1:], done)
		}
	})
}
