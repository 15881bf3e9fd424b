package add

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
)

// cataloguePage lists well-known servers.
type cataloguePage struct {
	dialog     *Dialog
	root       fyne.CanvasObject
	search     *kit.Input
	categories *kit.List
	rows       *kit.List
	nothing    fyne.CanvasObject
	below      fyne.CanvasObject // keeps nothing below the row that offers the registry

	known    []string // the categories, in the order of the list
	category string   // empty for all categories
	shown    []catalogue.Entry

	registry *registryList // nil if the registry is not offered
	local    fyne.CanvasObject
}

// registryCategory is the entry for the registry in the list of categories.
const registryCategory = "registry"

// categoryName returns the name of a category in the user's language.
func categoryName(category string) string {
	names := map[string]string{
		"":               lang.L("All"),
		"own":            lang.L("Works at once"),
		"files":          lang.L("Files and notes"),
		"web":            lang.L("Web and search"),
		"knowledge":      lang.L("Knowledge"),
		"work":           lang.L("Work and office"),
		"code":           lang.L("Programming"),
		"data":           lang.L("Data"),
		registryCategory: lang.L("Public list"),
	}
	return cmp.Or(names[category], lang.L("More"))
}

// matching returns the servers of a category that a search finds; of all categories if there is none.
func matching(category, search string) []catalogue.Entry {
	return slices.DeleteFunc(catalogue.Search(search, kit.Say), func(e catalogue.Entry) bool {
		return category != "" && e.Category != category
	})
}

func newCataloguePage(d *Dialog) *cataloguePage {
	p := &cataloguePage{dialog: d}
	p.search = d.input(lang.L("Search"), "", func(string) { p.fill() })
	p.search.Icon = base.SearchIcon()
	p.search.OnSubmitted = func(string) {
		if p.category != registryCategory && len(p.shown) > 0 {
			p.take(p.shown[0])
		}
	}
	p.known = append([]string{""}, catalogue.Categories()...)
	if from := d.program.Registry(); from != nil {
		p.registry = newRegistryList(d, from)
		p.known = append(p.known, registryCategory)
	}
	p.categories = kit.NewList(
		func() int { return len(p.known) },
		func() fyne.CanvasObject {
			return kit.Inset(kit.NewText("", kit.TextStyle{Shrinks: true}), kit.GapTight, kit.GapWide)
		},
		func(i int, object fyne.CanvasObject) {
			style := kit.TextStyle{Shrinks: true, Bold: p.known[i] == p.category}
			object.(*fyne.Container).Objects[0].(*kit.Text).SetStyle(categoryName(p.known[i]), style)
		})
	p.categories.OnChosen = func(i int) {
		p.category = p.known[i]
		p.categories.Refresh()
		p.fill()
	}
	p.rows = kit.NewList(
		func() int {
			if p.offersRegistry() {
				return len(p.shown) + 1
			}
			return len(p.shown)
		},
		func() fyne.CanvasObject { return newServerRow() },
		func(i int, object fyne.CanvasObject) {
			if i < len(p.shown) {
				object.(*serverRow).show(p.shown[i], d.found[p.shown[i].Needs.Command()])
			} else if p.registry != nil {
				object.(*serverRow).say(lang.L("Search the public list for “{{.Text}}”",
					map[string]any{"Text": kit.Line(p.search.Text)}), "",
					sentTo(p.registry.from.Host()), "")
			}
		})
	p.rows.OnChosen = func(i int) {
		p.rows.UnselectAll()
		switch {
		case i < len(p.shown):
			p.take(p.shown[i])
		case p.registry != nil:
			p.choose(registryCategory)
		}
	}
	p.nothing = kit.NewEmpty(kit.WidthNote, nil, lang.L("Nothing matches"),
		lang.L("Ask the maker of the program for its MCP server or its link for Claude, and paste that here."),
		kit.NewButton(lang.L("Paste"), widget.MediumImportance, func() { d.chooser.choose(WayPaste); d.chooser.focus() }))
	// The order is that of the Tab key.
	right := kit.Column(0, kit.Inset(p.search, kit.GapWide, kit.GapBlock),
		kit.Rest(kit.Inset(p.results(), 0, kit.GapWide)))
	p.root = kit.NewShared(0.23, 0, kit.Inset(p.categories, kit.GapWide, kit.Gap),
		container.NewBorder(nil, nil, widget.NewSeparator(), nil, right))
	p.categories.Select(0)
	for _, needs := range []catalogue.Needs{catalogue.NeedsNode, catalogue.NeedsUV, catalogue.NeedsDocker} {
		d.lookFor(needs.Command(), p.rows.Refresh)
	}
	return p
}

// choose shows a category.
func (p *cataloguePage) choose(category string) {
	p.categories.Select(max(0, slices.Index(p.known, category)))
}

// results contains both lists. Only one of them is visible.
func (p *cataloguePage) results() fyne.CanvasObject {
	p.below = kit.NewGap(0, rowHeight+kit.GapBlock)
	p.local = container.NewStack(p.rows, kit.Column(0, p.below, kit.Rest(p.nothing)))
	if p.registry == nil {
		return p.local
	}
	return container.NewStack(p.local, p.registry.root)
}

// offersRegistry reports whether the last row of the list offers to search the registry.
func (p *cataloguePage) offersRegistry() bool {
	return p.registry != nil && strings.TrimSpace(p.search.Text) != ""
}

func (p *cataloguePage) fill() {
	if p.registry != nil {
		there := p.category == registryCategory
		kit.SetVisible(p.local, !there)
		kit.SetVisible(p.registry.root, there)
		if there {
			p.registry.search(p.search.Text)
			p.dialog.pageChanged()
			return
		}
		p.registry.search("")
	}
	p.shown = matching(p.category, p.search.Text)
	kit.SetVisible(p.nothing, len(p.shown) == 0)
	kit.SetVisible(p.below, p.offersRegistry())
	kit.SetVisible(p.rows, len(p.shown) > 0 || p.offersRegistry())
	p.local.Refresh()             // what was hidden has no size yet
	if p.rows.Size().Height > 0 { // a list cannot be scrolled before it is shown
		p.rows.ScrollToTop()
	}
	p.rows.Refresh()
	p.dialog.pageChanged()
}

func (p *cataloguePage) take(e catalogue.Entry) {
	p.dialog.take([]*candidate{fromCatalogue(e)}, nil)
}

func (p *cataloguePage) object() fyne.CanvasObject { return p.root }
func (p *cataloguePage) focus()                    { p.dialog.focus(p.search) }

func (p *cataloguePage) ready() (func(), string) {
	if p.category == registryCategory {
		return nil, p.registry.hint()
	}
	if len(p.shown) == 0 { // the page says so
		return nil, ""
	}
	return nil, choose(len(p.shown))
}

// choose says how many servers a list has.
func choose(count int) string {
	return lang.N("{{.Count}} servers to choose from", count, map[string]any{"Count": count})
}

// serverRow is a row of the list.
type serverRow struct {
	widget.BaseWidget
	content     fyne.CanvasObject
	mark        *kit.Tile
	title       *kit.Text
	publisher   *kit.Text
	description *kit.Lines
	needs       *kit.Text
	missing     *widget.Icon
}

// markSize is the size of the icon of a server, in pixels.
const markSize = 36

// rowHeight is the height of a title and two lines of description, in pixels.
const rowHeight = 60

func newServerRow() *serverRow {
	r := &serverRow{
		mark:        kit.NewEmptyTile(markSize),
		publisher:   kit.NewText("", kit.Small()),
		title:       kit.NewText("", kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}),
		description: kit.NewLines(2, kit.Small()),
		needs:       kit.NewText("", kit.Small()),
		missing:     widget.NewIcon(theme.StateNotice.Icon()),
	}
	text := kit.Column(kit.GapHair, kit.Row(kit.Gap, r.title, r.publisher), r.description)
	row := kit.Row(kit.GapWide, r.mark.Object, kit.Rest(text), kit.Sized(14, 14, r.missing), r.needs)
	r.content = kit.Inset(kit.NewCard(kit.Sized(0, rowHeight, row)), kit.GapHair, kit.GapTight)
	r.ExtendBaseWidget(r)
	return r
}

func (r *serverRow) show(e catalogue.Entry, found *bool) {
	kit.SetVisible(r.mark.Object, true)
	r.mark.Set(e.ID, kit.Say(e.Title), e.Category)
	r.title.Set(kit.Say(e.Title))
	r.publisher.Set(e.Publisher)
	r.description.Set(kit.Say(e.Description))
	absent := found != nil && !*found
	kit.SetVisible(r.missing, absent)
	style := kit.Small()
	switch {
	case e.Needs == catalogue.NeedsNothing && e.SignIn:
		r.needs.SetStyle(lang.L("Needs sign-in"), style)
	case e.Needs == catalogue.NeedsItself:
		r.needs.SetStyle(lang.L("Works at once"), style)
	case e.Needs == catalogue.NeedsNothing:
		r.needs.SetStyle(lang.L("On the web"), style)
	case absent:
		style.Color = theme.ColorWorking
		r.needs.SetStyle(lang.L("Needs {{.Name}}, not installed", map[string]any{"Name": e.Needs.Name()}), style)
	default:
		r.needs.SetStyle(lang.L("Needs {{.Name}}", map[string]any{"Name": e.Needs.Name()}), style)
	}
	r.content.Refresh()
}

// say shows something that is not a server of the catalogue.
func (r *serverRow) say(title, publisher, description, needs string) {
	kit.SetVisible(r.mark.Object, publisher != "")
	r.mark.Set("", title, publisher)
	r.title.Set(title)
	r.publisher.Set(publisher)
	r.description.Set(description)
	r.needs.SetStyle(needs, kit.Small())
	kit.SetVisible(r.missing, false)
	r.content.Refresh()
}

// CreateRenderer implements [fyne.Widget].
func (r *serverRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(r.content)
}
