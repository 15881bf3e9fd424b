package add

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// recognise parses a text: a shared toolbox, or servers in any other form.
func (d *Dialog) recognise(text string) (found foreign.Found, box *share.Toolbox, err error) {
	if !share.Is(text) {
		found, err = foreign.Parse(text)
		return found, nil, err
	}
	box, err = share.Read(text, d.program.Here())
	if err != nil {
		return foreign.Found{}, nil, err
	}
	return foreign.Found{Kind: words.New("share.kind"), Entries: box.Servers, Notes: box.Notes}, box, nil
}

// takeShared goes on to the review of a shared toolbox. It becomes a new toolbox unless the user chooses another one.
func (d *Dialog) takeShared(box *share.Toolbox) {
	d.places.toolboxes = d.program.Toolboxes()
	d.places.toolbox, d.places.name = "", box.Name
	if slices.Contains(d.places.toolboxes, box.Name) {
		d.places.name = edit.CopyName(box.Name, d.places.toolboxes)
	}
	d.review = newReviewPage(d, fromText(foreign.Found{Entries: box.Servers}), kit.Words().Texts(box.Notes), box)
	d.show(stepReview)
	d.review.focus()
}

// aboutShared shows what a shared toolbox says about itself.
func (r *reviewPage) aboutShared(box *share.Toolbox) fyne.CanvasObject {
	column := kit.Column(kit.Gap,
		kit.Sign(theme.StateNotice, kit.NewParagraph(
			lang.L("This comes from a file, and nobody has checked it. Once started, it can do everything that you can. Add "+
				"it only if you trust where you got it."), kit.TextStyle{Size: theme.SizeSmall})))
	if box.Description != "" {
		column.Add(kit.NewText(lang.L("Description, which AI models read:"),
			kit.TextStyle{Bold: true, Size: theme.SizeSmall}))
		column.Add(code.NewWhole(4, code.WholeSpan{Text: box.Description}))
	}
	if fresh := r.dialog.places.name; fresh != box.Name {
		names := map[string]any{"Name": kit.Line(box.Name), "Other": kit.Line(fresh)}
		text := kit.NewParagraph(lang.L(
			"There is a toolbox called “{{.Name}}” already. These servers come into a new one, “{{.Other}}”.", names),
			kit.TextStyle{Size: theme.SizeSmall})
		column.Add(kit.Row(kit.GapWide, kit.Rest(kit.Sign(theme.StateNotice, text)),
			kit.NewButton(lang.L("Put them into “{{.Name}}”", names), widget.MediumImportance, func() {
				r.toolbox.SetSelected(box.Name)
			})))
	}
	return kit.NewCard(column)
}

// about returns the description of the new toolbox.
func (d *Dialog) about() string {
	if d.review.shared == nil {
		return ""
	}
	return d.review.shared.Description
}
