package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// mode is the part about how AI apps get tools.
type mode struct {
	root    fyne.CanvasObject
	screen  *Screen
	options []*option
	search  *kit.Switch
	looks   *row
	note    *kit.Lines
	problem *kit.Lines
}

// modes returns the choices in the order of the screen.
func modes() []config.ToolMode {
	return []config.ToolMode{config.ModeAuto, config.ModeProxy, config.ModeDynamic}
}

func newMode(screen *Screen) *mode {
	m := &mode{
		screen:  screen,
		note:    kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}),
		problem: kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
	}
	texts := [][2]string{
		{lang.L("Choose for each app"),
			lang.L("Right for almost everybody.")},
		{lang.L("Compatible"), lang.L("Works with every app.")},
		{lang.L("Direct"), lang.L("Only for apps that notice when their list of tools changes.")},
	}
	list := kit.Column(kit.GapHair)
	for i, text := range texts {
		o := newOption(m, i, text[0], text[1])
		m.options = append(m.options, o)
		list.Add(o)
	}
	list.Add(kit.Inset(paragraphs(m.note, m.problem), 0, kit.GapWide))
	m.search = kit.NewSwitch(lang.L("Search for tools"), m.switchSearch)
	m.looks = newRow(lang.L("Search for tools"),
		lang.L("Useful with many toolboxes."), m.search)
	m.root = kit.Column(kit.GapWide, kit.NewFrame(kit.Inset(list, kit.Gap, kit.Gap)), card(m.looks.root))
	return m
}

// choose writes a mode to the configuration. For the default mode it removes the field.
func (m *mode) choose(mode config.ToolMode) {
	var op edit.Op = edit.SetField{Field: []string{"toolMode"}, Value: jsonc.Value(string(mode))}
	if mode == config.ModeAuto {
		op = edit.ClearField{Field: []string{"toolMode"}}
	}
	m.problem.Set("")
	m.follow(mode)
	m.screen.program.Edit([]edit.Op{op}, func(err error) {
		m.problem.Set(because(err))
		m.show()
		m.screen.page.Arrange()
	})
}

// switchSearch writes to the configuration whether models can search for tools.
func (m *mode) switchSearch(on bool) {
	m.screen.program.Edit(edit.Turn(edit.Target{}, "search", on), func(err error) {
		m.looks.say("", err)
		m.show()
		m.screen.page.Arrange()
	})
}

// focus gives the focus to an option.
func (m *mode) focus(index int) {
	if index >= 0 && index < len(m.options) {
		kit.Focus(m.options[index])
	}
}

// show updates the section.
func (m *mode) show() {
	view := m.screen.view.ToolMode
	switch {
	case view.Fixed:
		m.note.Set(lang.L("The configuration has an error that must be corrected first."))
	case view.Forced != "" && view.Forced != view.Mode:
		m.note.Set(lang.L("The variable WORKBENCH_TOOL_MODE is set to {{.Mode}} on this computer. It overrides this "+
			"choice in apps that pass it on to Workbench.", map[string]any{"Mode": string(view.Forced)}))
	default:
		m.note.Set("")
	}
	m.follow(view.Mode)
	m.search.Follow(view.Search)
}

func (m *mode) follow(chosen config.ToolMode) {
	for i, o := range m.options {
		o.follow(modes()[i] == chosen, m.screen.view.ToolMode.Fixed)
	}
}
