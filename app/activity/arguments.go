package activity

import (
	"bytes"
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// arguments shows what the app has sent with a call, and copies it.
type arguments struct {
	root   fyne.CanvasObject
	text   *kit.Selectable
	ground fyne.CanvasObject // text on its background
	none   *kit.Text         // shown if there are no arguments
	cut    *kit.Text         // says that only the beginning is kept
	copy   *kit.Button
	shown  string
}

func newArguments(program Program) *arguments {
	a := &arguments{
		text: kit.NewSelectable("", kit.TextStyle{Size: theme.SizeSmall, Mono: true}),
		none: kit.NewText(lang.L("None"), kit.TextStyle{Color: theme.ColorMuted}),
		cut: kit.NewText(lang.L("Only the beginning is kept."),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
	}
	a.copy = kit.NewButton(lang.L("Copy"), widget.LowImportance, func() { program.Copy(a.shown) })
	a.ground = kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius},
		kit.Inset(a.text, -kit.GapHair, -kit.GapHair))
	heading := kit.NewText(lang.L("What the app sent"), kit.TextStyle{Bold: true, Shrinks: true})
	a.root = kit.Column(kit.GapTight, kit.Row(0, kit.Rest(heading), a.copy), a.none, a.ground, a.cut)
	return a
}

// show shows arguments as they were recorded.
func (a *arguments) show(recorded string) {
	a.shown = pretty(recorded)
	a.text.SetText(a.shown)
	kit.SetVisible(a.none, a.shown == "")
	kit.SetVisible(a.ground, a.shown != "")
	kit.SetVisible(a.copy, a.shown != "")
	kit.SetVisible(a.cut, a.shown != "" && !json.Valid([]byte(recorded)))
}

// pretty indents JSON. Text that was cut short is returned unchanged. Without arguments it returns "".
func pretty(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		return text
	}
	if out.String() == "{}" || out.String() == "null" {
		return ""
	}
	return out.String()
}
