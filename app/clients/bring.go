package clients

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/clients/imports"
)

// bringing is the dialog that brings the servers of an app into a toolbox.
type bringing struct {
	*sheet
	id, name string
	offer    Offer
	left     map[string]bool // servers that are not to come, by where they are from
	keychain bool
	usual    string // the toolbox that is proposed
	main     *kit.Button
}

// bringIn opens the dialog.
func (s *Screen) bringIn(id, name string) {
	b := &bringing{sheet: s.open(lang.L("Bring in the servers of {{.App}}", map[string]any{"App": name})), id: id, name: name, left: map[string]bool{}, keychain: true}
	b.look("")
}

// look finds out what would come into a toolbox.
func (b *bringing) look(into string) {
	b.show([]fyne.CanvasObject{paragraph(lang.L("Looking which servers it has…"), kit.TextStyle{Color: theme.ColorMuted})}, b.cancel(lang.L("Cancel")))
	b.screen.actions.Import(b.id, into, func(offer Offer, err error) {
		if b.gone {
			return
		}
		if err != nil {
			b.failed(err)
			return
		}
		if b.usual == "" {
			b.usual = offer.Plan.Toolbox
		}
		b.offer = offer
		b.list("")
	})
}

// failed says what went wrong.
func (b *bringing) failed(err error) {
	b.show([]fyne.CanvasObject{marked(theme.StateWrong, sentence(err))}, kit.NewButton(lang.L("Close"), widget.HighImportance, b.close))
}

// list shows what would come.
func (b *bringing) list(problem string) {
	plan := b.offer.Plan
	var body []fyne.CanvasObject
	muted := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	if problem != "" {
		body = append(body, marked(theme.StateWrong, problem))
	}
	secrets := 0
	if len(plan.Servers) == 0 {
		body = append(body, marked(theme.StateIdle, lang.L("There is nothing to bring in from {{.App}}.", map[string]any{"App": b.name})))
	} else {
		body = append(body, paragraph(lang.L("They are copied: {{.App}} keeps what it has.", map[string]any{"App": b.name}), kit.TextStyle{}), b.destination())
		rows := kit.Column(0)
		for i := range plan.Servers {
			if i > 0 {
				rows.Add(kit.NewLine())
			}
			secrets += len(plan.Servers[i].Secrets)
			// A box to be ticked has space above by itself.
			rows.Add(container.New(layout.NewCustomPaddedLayout(2, 12, 8, 12), b.row(&plan.Servers[i])))
		}
		body = append(body, kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, rows))
	}
	if secrets > 0 {
		keep := b.check(lang.L("Keep passwords and keys in the keychain of this computer, not in the file"), func(on bool) { b.keychain = on })
		keep.Follow(b.keychain)
		body = append(body, keep)
	}
	for _, note := range plan.Notes {
		body = append(body, paragraph(note, muted))
	}
	if len(plan.Skipped) > 0 {
		body = append(body, kit.NewText(lang.L("Left alone"), kit.TextStyle{Size: theme.SizeSmall, Bold: true}))
		for _, skipped := range plan.Skipped {
			what := skipped.Name
			if what == "" {
				what = skipped.File
			}
			body = append(body, paragraph(strings.TrimPrefix(what+": ", ": ")+skipped.Reason, muted))
		}
	}
	if len(plan.Servers) == 0 {
		b.main = nil
		b.show(body, kit.NewButton(lang.L("Close"), widget.HighImportance, b.close))
		return
	}
	b.main = kit.NewButton("", widget.HighImportance, b.bring)
	b.label()
	b.show(body, b.cancel(lang.L("Cancel")), b.main)
}

// destination chooses the toolbox.
func (b *bringing) destination() fyne.CanvasObject {
	options := slices.Clone(b.screen.actions.Toolboxes())
	for _, name := range []string{b.usual, b.offer.Plan.Toolbox} {
		if !slices.Contains(options, name) {
			options = append(options, name)
		}
	}
	choice := b.selection(options)
	choice.SetSelected(b.offer.Plan.Toolbox)
	choice.OnChanged = func(name string) {
		if name != b.offer.Plan.Toolbox {
			b.look(name)
		}
	}
	made := ""
	if b.offer.Plan.New {
		made = lang.L("This toolbox will be made.")
	}
	return kit.Row(8, kit.NewText(lang.L("Into the toolbox"), kit.TextStyle{}), choice, kit.NewText(made, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
}

// row is one server, with a box to leave it out.
func (b *bringing) row(server *imports.Found) fyne.CanvasObject {
	key := from(server)
	check := b.check(kit.Line(server.As), func(on bool) {
		b.left[key] = !on
		b.label()
	})
	check.Follow(!b.left[key])
	muted := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	mono := muted
	mono.Mono = true
	lines := kit.Column(2, paragraph(server.Runs(), mono))
	if len(server.ToFill) > 0 {
		lines.Add(paragraph(lang.L("To fill in afterwards: {{.Names}}.", map[string]any{"Names": strings.Join(server.ToFill, ", ")}),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}))
	}
	for _, secret := range server.Secrets {
		lines.Add(paragraph(lang.L("Looks like a secret: {{.Where}}.", map[string]any{"Where": secret.Where}), muted))
	}
	for _, note := range server.Notes {
		lines.Add(paragraph(note, muted))
	}
	return kit.Column(0, check, container.NewBorder(nil, nil, kit.NewGap(32, 1), nil, lines))
}

// from tells servers apart.
func from(server *imports.Found) string {
	return server.Client + "\x00" + server.File + "\x00" + server.Project + "\x00" + server.Name
}

// label has the main button say how many come.
func (b *bringing) label() {
	count := len(b.chosen().Servers)
	b.main.SetText(lang.N("Bring in {{.Count}} servers", count, map[string]any{"Count": count}))
	if count == 0 {
		b.main.SetText(lang.L("Bring in"))
		b.main.Disable()
	} else {
		b.main.Enable()
	}
	b.foot.Refresh()
}

// chosen is the plan without what is to be left out.
func (b *bringing) chosen() imports.Plan {
	plan := b.offer.Plan
	plan.Servers = slices.DeleteFunc(slices.Clone(plan.Servers), func(server imports.Found) bool { return b.left[from(&server)] })
	return plan
}

// bring has them written.
func (b *bringing) bring() {
	b.main.Disable()
	b.offer.Bring(b.chosen(), b.keychain, func(err error) {
		switch {
		case b.gone:
		case err != nil:
			b.list(sentence(err))
		default:
			b.close()
		}
	})
}
