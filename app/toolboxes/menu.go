package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// menuFor returns the menu of a toolbox or a server, for the tree and for the "⋯" of pages and cards. The zero Choice
// stands for the empty area below all toolboxes.
func (s *Screen) menuFor(choice model.Choice) *fyne.Menu {
	t, i, ok := s.view.find(choice)
	switch {
	case !ok:
		return fyne.NewMenu("", fyne.NewMenuItem(lang.L("New toolbox"), s.NewToolbox))
	case i == noServer:
		return s.toolboxMenu(choice, s.view.Toolboxes[t])
	}
	return s.serverMenu(choice, s.view.Toolboxes[t].Servers[i])
}

func (s *Screen) toolboxMenu(choice model.Choice, toolbox Toolbox) *fyne.Menu {
	menu := fyne.NewMenu("", fyne.NewMenuItem(lang.L("Add a server"), func() { s.program.Add(choice.Toolbox) }),
		fyne.NewMenuItem(lang.L("New toolbox"), s.NewToolbox), fyne.NewMenuItemSeparator())
	start := fyne.NewMenuItem(lang.L("Start all"), func() { s.startAll(choice.Toolbox) })
	stop := fyne.NewMenuItem(lang.L("Stop all"), func() { s.stopAll(choice.Toolbox) })
	start.Disabled, stop.Disabled = len(toolbox.startable()) == 0, len(toolbox.stoppable()) == 0
	menu.Items = append(menu.Items, start, stop, fyne.NewMenuItemSeparator())
	if len(toolbox.Servers) > 0 {
		menu.Items = append(menu.Items, fyne.NewMenuItem(lang.L("Share…"), func() { s.program.Share(choice.Toolbox) }))
	}
	menu.Items = append(menu.Items, s.editItems(choice)...)
	return menu
}

// startable returns the servers that can be started. stoppable returns the servers that can be stopped.
func (t Toolbox) startable() []model.Choice {
	return t.filter(func(can model.Can) bool { return can.Start })
}
func (t Toolbox) stoppable() []model.Choice {
	return t.filter(func(can model.Can) bool { return can.Stop })
}

func (t Toolbox) filter(which func(model.Can) bool) []model.Choice {
	var found []model.Choice
	for _, server := range t.Servers {
		if which(server.Can()) {
			found = append(found, model.Choice{Toolbox: t.Name, Server: server.Name})
		}
	}
	return found
}

func (s *Screen) serverMenu(choice model.Choice, server Server) *fyne.Menu {
	menu := fyne.NewMenu("")
	add := func(label string, action func(model.Choice)) {
		menu.Items = append(menu.Items, fyne.NewMenuItem(label, func() { action(choice) }))
	}
	add(lang.L("Open settings"), s.Select)
	can := server.Can()
	start, again := live.RunWords(server.Status, server.State)
	if can.Fix {
		add(server.FixWord(), s.Mend)
	}
	if server.Lacks() { // The item above gets the missing program. This one changes the command instead.
		add(live.HelpWords(model.HelpCommand), func(choice model.Choice) { s.program.ShowField(choice, "command") })
	}
	if can.Start {
		add(start, s.program.Start)
	}
	if can.Restart && server.Help() != model.HelpAgain {
		add(again, s.program.Restart)
	}
	if can.Stop {
		add(lang.L("Stop"), s.program.Stop)
	}
	if server.FixWord() != live.HelpWords(model.HelpLog) { // otherwise the menu has it already
		add(lang.L("Show log"), s.program.ShowLog)
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
	switchOff := server.State != theme.StateDisabled
	label := lang.L("Switch on")
	if switchOff {
		label = lang.L("Switch off")
	}
	add(label, func(choice model.Choice) { s.turn(choice, "disabled", switchOff) })
	move, copied := fyne.NewMenu(""), fyne.NewMenu("")
	for _, toolbox := range s.view.Toolboxes {
		if toolbox.Name == choice.Toolbox {
			continue
		}
		name, end := shortName(toolbox.Name), Landing{To: model.Choice{Toolbox: toolbox.Name}}
		move.Items = append(move.Items, fyne.NewMenuItem(name, func() { s.dropped(choice, end, false) }))
		copied.Items = append(copied.Items, fyne.NewMenuItem(name, func() { s.dropped(choice, end, true) }))
	}
	if len(move.Items) > 0 {
		menu.Items = append(menu.Items, parentItem(lang.L("Move to"), move), parentItem(lang.L("Copy to"), copied))
	}
	menu.Items = append(menu.Items, s.editItems(choice)...)
	return menu
}

func parentItem(label string, children *fyne.Menu) *fyne.MenuItem {
	item := fyne.NewMenuItem(label, nil)
	item.ChildMenu = children
	return item
}

// editItems returns the items that the menus of toolboxes and servers have in common.
func (s *Screen) editItems(choice model.Choice) []*fyne.MenuItem {
	up := fyne.NewMenuItem(withKeys(lang.L("Move up"), "↑"), func() { s.shift(choice, -1) })
	down := fyne.NewMenuItem(withKeys(lang.L("Move down"), "↓"), func() { s.shift(choice, 1) })
	up.Disabled, down.Disabled = len(s.view.Shift(choice, -1)) == 0, len(s.view.Shift(choice, 1)) == 0
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Rename"), func() { s.rename(choice, "") }),
		fyne.NewMenuItem(lang.L("Duplicate"), func() { s.duplicate(choice) }),
		up, down,
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(lang.L("Delete"), func() { s.remove(choice) }),
	}
}

// withKeys adds the keys of a menu item to its label. Fyne could show them itself, but draws them too pale to be read.
func withKeys(label, key string) string {
	return label + "   " + kit.Keys("Ctrl+"+key)
}
