package tryit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// maxEntries is how many entries of a list have fields. A longer list can be edited as JSON.
const maxEntries = 60

// nest returns a card for a group or an entry.
func nest(objects ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
		kit.Inset(kit.Column(kit.GapWide, objects...), kit.Gap, kit.GapWide))
}

// members returns the fields of an object.
func (p *part) members() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	if p.parent == nil && len(p.value.Members) > maxAtOnce {
		objects = append(objects, p.longMembers())
	} else {
		for i, member := range p.value.Members {
			if i > 0 && p.parent == nil {
				objects = append(objects, kit.NewGap(0, kit.Gap))
			}
			objects = append(objects, p.form.newPart(member, p).box)
		}
	}
	if len(p.value.Members) == 0 && len(p.value.Extra) == 0 {
		objects = append(objects, kit.NewText(lang.L("No arguments."), kit.TextStyle{Color: theme.ColorMuted}))
	}
	if len(p.value.Extra) > 0 {
		var names []string
		for _, extra := range p.value.Extra {
			names = append(names, kit.Quote(kit.Cut(extra.Name, 40)))
		}
		words := lang.L("Also sent, but not part of the form: {{.Names}}",
			map[string]any{"Names": kit.Cut(kit.SayList(names), 200)})
		remove := kit.NewButton(lang.L("Remove"), widget.LowImportance, func() {
			p.value.Extra = nil
			p.rebuild()
		})
		objects = append(objects, kit.NewParagraph(words, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
			kit.Row(0, remove))
	}
	return objects
}

// maxAtOnce is how many fields a form may have to be drawn at once. Fields of longer forms are drawn when they come
// into view.
const maxAtOnce = 24

// longMembers returns the fields of a form with more than maxAtOnce fields.
func (p *part) longMembers() fyne.CanvasObject {
	f := p.form
	column := kit.NewLong(kit.GapBlock, 90, len(p.value.Members), func(i int) fyne.CanvasObject {
		member := f.newPart(p.value.Members[i], p)
		member.showFault(f.later[member.value])
		return member.box
	})
	f.parts = map[*toolform.Value]*part{p.value: p} // the parts of an earlier column are not drawn any more
	f.drawLater(column)
	for i, member := range p.value.Members {
		f.fields[member] = i
	}
	return column.Root
}

// group returns the fields of an object that is inside another. If the object is optional, the user must tick a box
// first.
func (p *part) group() fyne.CanvasObject {
	value := p.value
	// an entry is in a card already
	if kind := p.parent.value.Field.Kind; kind == toolform.KindArray || kind == toolform.KindMap {
		return kit.Column(kit.GapWide, p.members()...)
	}
	if value.Field.Required || value.Field.Name == "" {
		return nest(p.members()...)
	}
	want := kit.NewCheck(lang.L("Fill in"), nil)
	want.Checked = value.Set
	want.OnFocus = p.keyboard
	want.OnChanged = func(on bool) {
		if on {
			value.Set = true
		} else {
			value.Clear()
		}
		p.rebuild()
		p.form.focus(p)
	}
	p.focus = want
	if !value.Set {
		return want
	}
	return kit.Column(kit.GapTight, want, nest(p.members()...))
}

// union returns a choice between several shapes, and the fields of the chosen one.
func (p *part) union() fyne.CanvasObject {
	value := p.value
	var options []toolform.Option
	for _, alternative := range value.Field.Alternatives {
		title := alternative.Title
		if title == "" {
			title = capital(TypeWords(alternative))
		}
		options = append(options, toolform.Option{Title: title})
	}
	none := ""
	switch {
	case value.Field.Name == "":
	case !value.Field.Required:
		none = lang.L("Not set")
	case value.Field.Nullable:
		none = lang.L("Nothing (null)")
	}
	choose := p.selection(distinct(options), none, func(at int) {
		if at == value.Choice {
			return
		}
		value.Choose(at)
		value.Null = at < 0 && value.Field.Required && value.Field.Nullable
		value.Set, value.Preset = at >= 0 || value.Null, false
		p.rebuild()
		p.form.focus(p)
	})
	if value.Branch == nil {
		return choose
	}
	branch := p.form.newPart(value.Branch, p)
	if description := kit.Cut(value.Branch.Field.Description, maxDescription); description != "" {
		return kit.Column(kit.Gap, choose,
			kit.NewParagraph(description, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}), branch.box)
	}
	return kit.Column(kit.Gap, choose, branch.box)
}

// list returns the entries of an array or a map.
func (p *part) list() fyne.CanvasObject {
	value := p.value
	box := kit.Column(kit.Gap)
	for i, item := range value.Items {
		if i == maxEntries {
			box.Add(kit.NewText(lang.L("and {{.Count}} more",
				map[string]any{"Count": len(value.Items) - maxEntries}),
				kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
			break
		}
		box.Add(p.entry(i, item))
	}
	add := kit.NewButtonWithIcon(lang.L("Add an entry"), base.ContentAddIcon(), widget.MediumImportance, func() {
		item := value.Add()
		p.rebuild()
		p.form.focus(p.form.parts[item].first())
	})
	p.focus = add
	box.Add(kit.Row(0, add))
	return box
}

// first returns the first part in p that has a control for the focus, or a part without one if there is none.
func (p *part) first() *part {
	if p == nil || p.focus != nil {
		return p
	}
	for _, member := range p.value.Members {
		if part := p.form.parts[member]; part != nil {
			return part.first()
		}
	}
	if p.value.Branch != nil {
		return p.form.parts[p.value.Branch].first()
	}
	return p
}

// entry returns an entry of a list, with a button that removes it.
func (p *part) entry(i int, item *toolform.Value) fyne.CanvasObject {
	value := p.value
	remove := kit.NewIconButton(base.DeleteIcon(), lang.L("Remove"), func() {
		value.Remove(i)
		p.rebuild()
		p.form.focus(p)
	})
	inner := p.form.newPart(item, p)
	if value.Field.Kind == toolform.KindMap {
		name := newInput(lang.L("Name"), p.form.owner.submit)
		name.SetText(value.Keys[i])
		name.OnFocus = p.keyboard
		name.OnChanged = func(text string) {
			value.Keys[i] = text
			p.form.edited(p)
		}
		if inner.focus == nil || !simple(item) {
			return nest(kit.Row(kit.GapTight, kit.Rest(name), remove), inner.box)
		}
		inner.focus = name
		return kit.Row(kit.GapTight, kit.Rest(kit.NewShared(0.5, kit.GapTight, name, inner.box)), remove)
	}
	if simple(item) {
		return kit.Row(kit.GapTight, kit.Rest(inner.box), remove)
	}
	title := kit.NewText(lang.L("Entry {{.Number}}", map[string]any{"Number": i + 1}),
		kit.TextStyle{Bold: true, Shrinks: true})
	return nest(kit.Row(kit.GapTight, kit.Rest(title), remove), inner.box)
}

// simple reports whether one line is enough to fill in a value.
func simple(value *toolform.Value) bool {
	if value.Raw {
		return false
	}
	switch value.Field.Kind {
	case toolform.KindObject, toolform.KindArray, toolform.KindMap, toolform.KindUnion, toolform.KindRaw:
		return false
	}
	return true
}
