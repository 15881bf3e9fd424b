package add

import (
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// pastePage accepts any text and shows at once what it contains.
type pastePage struct {
	dialog *Dialog
	root   fyne.CanvasObject
	text   *kit.Input
	result *fyne.Container
	found  foreign.Found  // what the text contains
	box    *share.Toolbox // set if the text is a shared toolbox
	err    error          // why the text contains no servers, or nil

	refused []string // why the dropped files contain no servers; reset when the text changes
}

func newPastePage(d *Dialog) *pastePage {
	p := &pastePage{dialog: d, result: container.NewStack()}
	p.text = kit.NewTextArea(4, true)
	p.text.OnChanged = func(string) { p.recognise() }
	onwards := kit.OnKeys(func() { d.chooser.next() }, fyne.KeyReturn, fyne.KeyEnter)
	p.text.OnShortcut = func(shortcut fyne.Shortcut) bool {
		if pasted, ok := shortcut.(*fyne.ShortcutPaste); ok {
			text, ok := kit.Pasted(pasted.Clipboard)
			if ok && len(text) > maxField {
				d.Offer(text)
			}
			return !ok || len(text) > maxField
		}
		return onwards(shortcut)
	}
	explain := kit.NewParagraph(lang.L(
		"Paste what the server's instructions tell you to paste: a block for Claude Desktop, Cursor, VS Code or another "+
			"app, a command, or a web address."),
		kit.TextStyle{Color: theme.ColorMuted})
	paste := kit.NewButton(lang.L("Paste"), widget.MediumImportance, func() {
		text, ok := kit.Pasted(fyne.CurrentApp().Clipboard())
		if !ok {
			return
		}
		if strings.TrimSpace(text) == "" {
			p.refuse([]string{NoText()})
			return
		}
		d.Offer(text)
	})
	paste.SetIcon(base.ContentPasteIcon())
	p.root = kit.Inset(kit.Column(kit.GapWide, kit.Row(kit.GapBlock, kit.Rest(explain), paste), kit.Rest(p.text),
		kit.Sized(0, resultHeight, p.result)), kit.GapBlock, kit.GapBlock)
	p.recognise()
	return p
}

// NoText says that the clipboard has nothing that could be pasted.
func NoText() string { return lang.L("The clipboard has no text. Copy what you need first.") }

// resultHeight is the height of the summary, in pixels.
const resultHeight = 150

// offer sets the text of the field.
func (p *pastePage) offer(text string) {
	p.text.SetText(strings.ToValidUTF8(text, "\ufffd"))
	p.recognise()
}

// fail shows why a text contains no servers. It is for a text that is too long for the field, which shows its
// beginning.
func (p *pastePage) fail(err error) {
	p.found, p.box, p.err = foreign.Found{}, nil, err
	p.showResult()
	p.dialog.chooser.update()
}

// refuse shows why files contain no servers.
func (p *pastePage) refuse(reasons []string) {
	p.refused = reasons
	p.showResult()
}

// recognise parses the text again.
func (p *pastePage) recognise() {
	p.refused = nil
	p.found, p.box, p.err = p.dialog.recognise(p.text.Text)
	p.showResult()
	p.dialog.pageChanged()
}

func (p *pastePage) showResult() {
	p.result.Objects = []fyne.CanvasObject{p.summary()}
	p.result.Refresh()
}

// maxSummary is the most servers that the summary names.
const maxSummary = 30

// summary shows what the text contains.
func (p *pastePage) summary() fyne.CanvasObject {
	if len(p.refused) > 0 {
		reasons := kit.Column(kit.Gap)
		for _, reason := range p.refused {
			reasons.Add(kit.NewParagraph(reason, kit.TextStyle{}))
		}
		return resultCard(theme.StateNotice, reasons)
	}
	if strings.TrimSpace(p.text.Text) == "" {
		return kit.NewGap(0, 0)
	}
	if p.err != nil {
		message, hint := kit.SayError(p.err), ""
		var why *foreign.Error
		if errors.As(p.err, &why) {
			message, hint = kit.Say(why.Message), kit.Say(why.Hint)
		}
		return resultCard(theme.StateNotice, kit.Column(kit.GapTight,
			kit.NewParagraph(message, kit.TextStyle{Bold: true}),
			kit.NewParagraph(hint, kit.TextStyle{Color: theme.ColorMuted})))
	}
	count := len(p.found.Entries)
	title := kit.NewText(lang.N("{{.Count}} servers found", count, map[string]any{"Count": count}),
		kit.TextStyle{Bold: true})
	kind := kit.NewText(kit.Capital(kit.Say(p.found.Kind)),
		kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	lines := []fyne.CanvasObject{kit.Row(kit.Gap, title, kit.Rest(kind))}
	for i := range p.found.Entries {
		if i == maxSummary {
			lines = append(lines, kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": count - i}), kit.Small()))
			break
		}
		e := &p.found.Entries[i]
		name := kit.NewText(e.Server.Name, kit.TextStyle{Bold: true, Size: theme.SizeSmall, Shrinks: true})
		line := kit.NewText(review.Of(&e.Server).Line(),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true, Shrinks: true})
		lines = append(lines, kit.NewShared(0.24, kit.GapWide, name, line))
	}
	return resultCard(theme.StateConnected, kit.Column(kit.GapTight, lines...))
}

// resultCard returns the card of the summary. The inset keeps the scroll area from cutting off the outline of the
// card.
func resultCard(state theme.State, content fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewPage(kit.Inset(kit.NewCard(kit.Sign(state, content)), kit.GapHair, kit.GapHair))
}

func (p *pastePage) object() fyne.CanvasObject { return p.root }
func (p *pastePage) focus()                    { p.dialog.focus(p.text) }
func (p *pastePage) typed() bool               { return strings.TrimSpace(p.text.Text) != "" }

func (p *pastePage) ready() (func(), string) {
	switch {
	case !p.typed():
		return nil, ""
	case p.err != nil:
		return nil, lang.L("Nothing was recognised yet.")
	}
	return p.next, ""
}

func (p *pastePage) next() {
	if p.box != nil {
		p.dialog.takeShared(p.box)
		return
	}
	p.dialog.take(fromText(p.found), kit.Words().Texts(p.found.Says()))
}
