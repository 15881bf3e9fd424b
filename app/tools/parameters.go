package tools

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// Limits of the list of parameters. The JSON shows all of them.
const (
	maxParameters = 150
	maxOptions    = 12
	indent        = 20 // in pixels, for each level
)

// parameters is the list of the parameters of a tool.
type parameters struct {
	box  *fyne.Container
	left int // how many more parameters may be listed; negative if some were left out
}

func newParameters(form *toolform.Form) fyne.CanvasObject {
	p := &parameters{box: kit.Column(kit.GapWide), left: maxParameters}
	switch {
	case form.Silent:
		return kit.NewParagraph(lang.L("The server does not say."), kit.TextStyle{Color: theme.ColorMuted})
	case form.Root.Kind == toolform.KindRaw:
		return kit.NewParagraph(lang.L("This cannot be shown"),
			kit.TextStyle{Color: theme.ColorMuted})
	}
	p.inside(form.Root, 0)
	if len(p.box.Objects) == 0 {
		return kit.NewText(lang.L("No arguments."),
			kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	}
	if p.left < 0 {
		p.box.Add(kit.NewText("…",
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	return p.box
}

// inside lists the fields of an object, of the items of a list, or of each alternative.
func (p *parameters) inside(field *toolform.Field, level int) {
	switch field.Kind {
	case toolform.KindObject:
		for _, member := range field.Fields {
			p.add(member, level)
		}
	case toolform.KindArray, toolform.KindMap:
		p.inside(field.Item, level)
	case toolform.KindUnion:
		for _, alternative := range field.Alternatives {
			if alternative.Kind != toolform.KindObject || len(alternative.Fields) == 0 {
				continue
			}
			title := alternative.Title
			if title == "" {
				title = lang.L("or")
			}
			p.box.Add(indented(level, kit.NewText(title,
				kit.TextStyle{Size: theme.SizeSmall, Bold: true, Color: theme.ColorMuted, Shrinks: true})))
			p.inside(alternative, level+1)
		}
	}
}

func indented(level int, object fyne.CanvasObject) fyne.CanvasObject {
	return kit.InsetSides(object, 0, 0, float32(level)*indent, 0)
}

// add lists a field and what is inside it.
func (p *parameters) add(field *toolform.Field, level int) {
	if p.left--; p.left < 0 {
		return
	}
	need := kit.NewText(lang.L("Optional"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	if field.Required {
		need = kit.NewText(lang.L("Required"), kit.TextStyle{Size: theme.SizeSmall, Bold: true})
	}
	name := kit.Row(kit.Gap, kit.NewText(field.Name, kit.TextStyle{Bold: true, Mono: true, Shrinks: true}),
		kit.NewText(kit.Cut(tryit.TypeWords(field), 60), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	lines := kit.Column(kit.GapHair, kit.Row(kit.Gap, kit.Rest(name), need))
	if text := kit.Cut(field.Description, 500); text != "" {
		lines.Add(kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall}))
	}
	if words := limits(field); words != "" {
		lines.Add(kit.NewParagraph(words, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	p.box.Add(indented(level, lines))
	p.inside(field, level+1)
}

// limits says which values a field accepts, and its default.
func limits(field *toolform.Field) string {
	var words []string
	options := field.Options
	if field.Kind == toolform.KindArray && field.Item.Kind == toolform.KindChoice {
		options = field.Item.Options
	}
	if len(options) > 1 {
		var titles []string
		for i, option := range options {
			if i == maxOptions {
				titles = append(titles, "…")
				break
			}
			titles = append(titles, kit.Cut(option.Title, 40))
		}
		words = append(words, lang.L("One of: {{.Values}}", map[string]any{"Values": kit.SayList(titles)}))
	}
	if text := tryit.LimitWords(field); text != "" {
		words = append(words, text)
	}
	if field.Default != nil && string(field.Default) != "null" {
		words = append(words, lang.L("Default: {{.Value}}", map[string]any{"Value": kit.Cut(string(field.Default), 80)}))
	}
	return kit.Facts(words...)
}
