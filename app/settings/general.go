package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// general is the section about the app itself.
type general struct {
	*section
	screen *Screen

	login     *row
	loginOn   *kit.Switch
	links     *row
	linksOn   *kit.Switch
	updates   *row
	updatesOn *kit.Switch
	free      *row
	freeOn    *kit.Switch
	language  *row
	languages *kit.Select
	follow    []func(Preferences) // update the controls of the preferences

	advanced []fyne.CanvasObject // rows that few people need
}

// setting is a preference: its title, its explanation, and its control.
type setting struct {
	title, explanation string
	control            control
	advanced           bool // few people need it
}

// preferences returns the settings that are members of [Preferences]. A new switch needs an entry here and a member.
func preferences() []setting {
	return []setting{
		{lang.L("Theme"), "", choice(func(p *Preferences) *ThemeChoice { return &p.Theme },
			[]ThemeChoice{model.ThemeSystem, model.ThemeLight, model.ThemeDark}, lang.L("System"), lang.L("Light"),
			lang.L("Dark")), false},
		{lang.L("Notifications"), "",
			onOff(lang.L("Notifications"), func(p *Preferences) *bool { return &p.Notifications }), false},
		{lang.L("Public list"), lang.L("Nothing is sent to it before you search there."),
			onOff(lang.L("Public list"), func(p *Preferences) *bool { return &p.Registry }), true},
		{lang.L("Count tool calls"), lang.L("What was asked is not kept. Switching this off deletes the counts."),
			onOff(lang.L("Count tool calls"), func(p *Preferences) *bool { return &p.Usage }), true},
		{lang.L("Log"), "", list(func(p *Preferences) *string {
			return &p.LogLevel
		},
			[]string{"error", "warn", "info", "debug"}, lang.L("Only errors"), lang.L("Errors and warnings"),
			lang.L("Errors, warnings and events"), lang.L("Everything, for reports")), true},
	}
}

// control creates the control of a preference. The control calls changed with each change by the user. follow sets the
// control to the present value.
type control func(changed func(func(*Preferences))) (object fyne.CanvasObject, follow func(Preferences))

func onOff(spoken string, member func(*Preferences) *bool) control {
	return func(changed func(func(*Preferences))) (fyne.CanvasObject, func(Preferences)) {
		turned := kit.NewSwitch(spoken, func(on bool) { changed(func(p *Preferences) { *member(p) = on }) })
		return turned, func(p Preferences) { turned.Follow(*member(&p)) }
	}
}

func choice[T comparable](member func(*Preferences) *T, values []T, names ...string) control {
	return func(changed func(func(*Preferences))) (fyne.CanvasObject, func(Preferences)) {
		choice := kit.NewChoice(names...)
		choice.OnChosen = func(index int) { changed(func(p *Preferences) { *member(p) = values[index] }) }
		return kit.NewFullChoice(choice), func(p Preferences) { choice.Follow(max(0, slices.Index(values, *member(&p)))) }
	}
}

func list[T comparable](member func(*Preferences) *T, values []T, names ...string) control {
	return func(changed func(func(*Preferences))) (fyne.CanvasObject, func(Preferences)) {
		list := kit.NewSelect(names, nil)
		list.OnChanged = func(string) {
			if index := list.SelectedIndex(); index >= 0 {
				changed(func(p *Preferences) { *member(p) = values[index] })
			}
		}
		return boxed(list), func(p Preferences) { list.Follow(max(0, slices.Index(values, *member(&p)))) }
	}
}

func newGeneral(screen *Screen, title string) *general {
	g := &general{screen: screen}
	program := screen.program
	turn := func(title, explanation string, set func(on bool, done func(error))) (r *row, turned *kit.Switch) {
		turned = kit.NewSwitch(title, func(on bool) {
			g.change(r, func(done func(error)) { set(on, done) })
		})
		r = newRow(title, explanation, turned)
		return r, turned
	}
	g.login, g.loginOn = turn(lang.L("Start at login"),
		lang.L("AI apps can use your servers without it."), program.SetStartAtLogin)
	g.languages = kit.NewSelect(nil, nil)
	g.languages.OnChanged = func(string) {
		g.change(g.language, func(done func(error)) { program.SetLanguage(g.code(), done) })
	}
	g.language = newRow(lang.L("Language"), "", boxed(g.languages))
	g.free, g.freeOn = turn(lang.L("Don't ask when other programs change servers"),
		lang.L("They then run without being approved by you."), program.SetFree)
	g.links, g.linksOn = turn(lang.L("Links"),
		lang.L("A link on a web page only shows what it would add."),
		program.SetLinks)
	if program.CanUpdate() {
		g.updates, g.updatesOn = turn(lang.L("Look for newer versions"),
			lang.L("Once a day, GitHub is asked for the newest version. Nothing is downloaded or installed."), program.SetUpdates)
	}
	rows := []fyne.CanvasObject{g.login.root}
	for _, s := range preferences() {
		var r *row
		object, follow := s.control(func(change func(*Preferences)) {
			g.change(r, func(done func(error)) { program.Prefer(change, done) })
		})
		r = newRow(s.title, s.explanation, object)
		g.follow = append(g.follow, follow)
		if s.advanced {
			g.advanced = append(g.advanced, r.root)
		} else {
			rows = append(rows, r.root)
		}
	}
	rows = slices.Insert(rows, 2, fyne.CanvasObject(g.language.root)) // after the theme
	g.advanced = append(g.advanced, g.links.root, g.free.root)
	if g.updates != nil {
		rows = append(rows, g.updates.root)
	}
	if program.CanBegin() {
		steps := kit.NewButton(lang.L("Show"), widget.MediumImportance, program.FirstSteps)
		rows = append(rows, newRow(lang.L("First steps"), "", steps).root)
	}
	g.section = newSection(title, card(rows...))
	return g
}

// FocusLanguage gives the focus to the choice of the language.
func (s *Screen) FocusLanguage(canvas fyne.Canvas) { canvas.Focus(s.general.languages) }

// boxed puts a frame around a list, because a list has none of its own. All lists have the same size.
func boxed(list *kit.Select) fyne.CanvasObject {
	return kit.Sized(280, 36, container.NewStack(list,
		kit.NewBox(kit.BoxStyle{Line: base.ColorNameInputBorder, Radius: theme.SizeFieldRadius}, nil)))
}

// change applies a change by the user. If act fails, the row shows the error, and the control shows the old value
// again.
func (g *general) change(r *row, act func(done func(error))) {
	before := r.said()
	r.say(r.note.Text(), nil)
	act(func(err error) {
		r.say(r.note.Text(), err)
		g.show()
		if r.said() != before { // measuring everything takes long, and only other texts can change the height
			g.screen.page.Arrange()
		}
	})
}

// code returns the chosen language, or "" for the language of the system.
func (g *general) code() string {
	if index := g.languages.SelectedIndex() - 1; index >= 0 && index < len(g.screen.view.Languages) {
		return g.screen.view.Languages[index].Tag
	}
	return ""
}

// show updates the controls.
func (g *general) show() {
	view := g.screen.view
	g.loginOn.Follow(view.Login.On)
	kit.SetEnabled(g.loginOn, view.Login.Known)
	g.login.note.Set(view.Login.Note)
	g.linksOn.Follow(view.Links.On)
	kit.SetEnabled(g.linksOn, view.Links.Known && !view.Links.Fixed)
	switch {
	case view.Links.Note != "":
		g.links.note.Set(view.Links.Note)
	case view.Links.Other != "":
		g.links.note.Set(lang.L("{{.Name}} opens them now.", map[string]any{"Name": kit.Line(view.Links.Other)}))
	default:
		g.links.note.Set("")
	}
	if g.updates != nil {
		g.updatesOn.Follow(view.Updates.Allowed)
		g.updates.note.Set(view.Updates.How)
	}
	g.freeOn.Follow(view.Free.On)
	kit.SetEnabled(g.freeOn, view.Free.Known)
	names := []string{lang.L("System language")}
	chosen := 0
	for i, language := range view.Languages {
		names = append(names, language.Name)
		if language.Tag == view.Preferences.Language {
			chosen = i + 1
		}
	}
	if !slices.Equal(names, g.languages.Options) {
		g.languages.SetOptions(names)
	}
	g.languages.Follow(chosen)
	for _, follow := range g.follow {
		follow(view.Preferences)
	}
}
