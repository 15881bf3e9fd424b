package add

import (
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// pastePage takes any text and says at once what was recognised in it.
type pastePage struct {
	dialog *Dialog
	root   fyne.CanvasObject
	text   *kit.Input
	result *fyne.Container
	found  paste.Found
	err    error

	refused []string // why there is nothing in the files that were dropped, until something is written
}

func newPastePage(d *Dialog) *pastePage {
	p := &pastePage{dialog: d, result: container.NewStack()}
	p.text = d.area(6, true)
	p.text.PlaceHolder = lang.L("For example: npx -y @modelcontextprotocol/server-memory")
	p.text.OnChanged = func(string) { p.recognise() }
	p.text.OnShortcut = func(shortcut fyne.Shortcut) bool {
		custom, ok := shortcut.(*desktop.CustomShortcut)
		if ok && custom.Modifier == fyne.KeyModifierShortcutDefault && (custom.KeyName == fyne.KeyReturn || custom.KeyName == fyne.KeyEnter) {
			d.chooser.next()
			return true
		}
		return false
	}
	explain := kit.NewParagraph(lang.L("Paste what the server's instructions tell you to paste: a block for Claude Desktop, Cursor, VS Code or another app, a command, or a web address."),
		kit.TextStyle{Color: theme.ColorMuted})
	paste := kit.NewButton(lang.L("Paste from the clipboard"), widget.MediumImportance, func() {
		p.offer(fyne.CurrentApp().Clipboard().Content())
	})
	paste.SetIcon(base.ContentPasteIcon())
	top := container.NewBorder(nil, nil, nil, kit.Row(0, kit.NewGap(16, 1), paste), explain)
	p.root = kit.Inset(container.New(&pasteLayout{}, top, p.text, p.result), 16, 20)
	p.recognise()
	return p
}

// pasteLayout puts the explanation above, and gives the text and what was recognised the rest, more to the text.
type pasteLayout struct{}

const pasteGap = 12

func (*pasteLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(320, objects[0].MinSize().Height+2*pasteGap+objects[1].MinSize().Height+80)
}

func (*pasteLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(size.Width, objects[0].MinSize().Height))
	top := objects[0].MinSize().Height
	objects[0].Resize(fyne.NewSize(size.Width, top))
	rest := size.Height - top - 2*pasteGap
	text := max(objects[1].MinSize().Height, rest*0.52)
	objects[1].Move(fyne.NewPos(0, top+pasteGap))
	objects[1].Resize(fyne.NewSize(size.Width, text))
	objects[2].Move(fyne.NewPos(0, top+text+2*pasteGap))
	objects[2].Resize(fyne.NewSize(size.Width, max(0, rest-text)))
}

// offer shows a text in the field.
func (p *pastePage) offer(text string) {
	if len(text) > paste.MaxSize {
		text = text[:paste.MaxSize+1] // enough to say that it is too much
	}
	p.text.SetText(strings.ToValidUTF8(text, "\ufffd"))
	p.recognise()
}

// refuse says why there is nothing in files.
func (p *pastePage) refuse(reasons []string) {
	p.refused = reasons
	p.showResult()
}

// recognise looks at the text anew.
func (p *pastePage) recognise() {
	p.refused = nil
	p.found, p.err = paste.Parse(p.text.Text)
	p.showResult()
	if p.dialog.chooser != nil {
		p.dialog.chooser.update()
	}
}

func (p *pastePage) showResult() {
	p.result.Objects = []fyne.CanvasObject{p.summary()}
	p.result.Refresh()
}

// maxSummary is how many servers the summary names.
const maxSummary = 30

// summary says what was recognised.
func (p *pastePage) summary() fyne.CanvasObject {
	if len(p.refused) > 0 {
		reasons := kit.Column(8)
		for _, reason := range p.refused {
			reasons.Add(kit.NewParagraph(reason, kit.TextStyle{}))
		}
		return resultCard(theme.StateNotice, reasons)
	}
	if strings.TrimSpace(p.text.Text) == "" {
		return kit.NewGap(1, 1)
	}
	if p.err != nil {
		message, hint := kit.SayError(p.err), ""
		var why *paste.Error
		if errors.As(p.err, &why) {
			message, hint = kit.Say(why.Message), kit.Say(why.Hint)
		}
		return resultCard(theme.StateNotice, kit.Column(4,
			kit.NewParagraph(message, kit.TextStyle{Bold: true}),
			kit.NewParagraph(hint, kit.TextStyle{Color: theme.ColorMuted})))
	}
	count := len(p.found.Entries)
	title := kit.NewText(lang.N("Found {{.Count}} servers", count, map[string]any{"Count": count}), kit.TextStyle{Bold: true})
	kind := kit.NewText(lang.L("in {{.Kind}}", map[string]any{"Kind": kit.Say(p.found.Kind)}), kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	lines := []fyne.CanvasObject{container.NewBorder(nil, nil, title, nil, kit.Inset(kind, 0, 8))}
	for i := range p.found.Entries {
		if i == maxSummary {
			lines = append(lines, kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": count - i}), small()))
			break
		}
		e := &p.found.Entries[i]
		name := kit.NewText(e.Server.Name, kit.TextStyle{Bold: true, Size: theme.SizeSmall, Shrinks: true})
		line := kit.NewText(maskEntry(e), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true, Shrinks: true})
		lines = append(lines, container.New(columnsLayout{0.24, 12}, name, line))
	}
	return resultCard(theme.StateConnected, kit.Column(5, lines...))
}

// resultCard says how recognising went. A scroll cuts off what is at its very edge, such as the outline of a card.
func resultCard(state theme.State, content fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewPage(kit.Inset(kit.NewCard(sign(state, content)), 2, 2))
}

// columnsLayout gives two objects a share of the width each.
type columnsLayout struct{ share, gap float32 }

func (c columnsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+c.gap+b.Width, max(a.Height, b.Height))
}

func (c columnsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first := (size.Width - c.gap) * c.share
	objects[0].Resize(fyne.NewSize(first, size.Height))
	objects[1].Move(fyne.NewPos(first+c.gap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-first-c.gap, size.Height))
}

// maskEntry is the command line of an entry without its secrets.
func maskEntry(e *paste.Entry) string {
	text := paste.CommandLine(&e.Server)
	for _, s := range e.Secrets {
		text = strings.ReplaceAll(text, s.Text, secret.Masked)
	}
	return secret.Mask(text)
}

func (p *pastePage) object() fyne.CanvasObject { return p.root }
func (p *pastePage) focus()                    { p.dialog.focus(p.text) }
func (p *pastePage) typed() bool               { return strings.TrimSpace(p.text.Text) != "" }

func (p *pastePage) ready() (bool, string) {
	switch {
	case !p.typed():
		return false, ""
	case p.err != nil:
		return false, lang.L("Nothing was recognised yet.")
	}
	return true, lang.L("Nothing is started before you have seen it.")
}

func (p *pastePage) next() {
	p.dialog.take(fromText(p.found, p.dialog.keychain()), words.English().Texts(p.found.Notes))
}
