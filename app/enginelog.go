package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Measures of the dialog, in pixels.
const (
	engineLogWidth  = 860
	engineLogHeight = 400
)

// engineLogAction shows the log of an engine; nil where none is kept.
func (c *controller) engineLogAction() func(model.Engine) {
	if c.options.Logs == "" {
		return nil
	}
	return c.showEngineLog
}

// showEngineLog shows what an engine has said itself, and what it says while one looks.
func (c *controller) showEngineLog(engine model.Engine) {
	log := serverlog.New(serverlog.Actions{Copy: c.window.Copy, Save: c.window.SaveAs, Do: c.tasks.Do})
	log.Apply(serverlog.View{Server: engine.Client, Empty: lang.L("Nothing yet. What the engine says appears here.")})
	title := lang.L("Log of the engine of {{.Client}}", map[string]any{"Client": kit.Line(engine.Client)})
	shown := kit.NewQuestion(title, engineLogWidth, container.NewStack(kit.NewGap(0, engineLogHeight), log.Object()), c.window.Window)
	looking, stop := context.WithCancel(c.tasks.Context())
	shown.SetOnClosed(stop)
	closes := kit.NewButton(lang.L("Close"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{closes})
	c.window.ShowDialog(shown)
	c.window.Window.Canvas().Focus(closes)
	c.tasks.Background(func() {
		begun := false
		c.options.Logs.Follow(looking, logs.Selection{Engine: engine.Pid}, func(lines []logs.Line) {
			said := saidBy(engine, lines)
			if !begun {
				said, begun = engines.WithDays(said, time.Now()), true
			}
			c.tasks.Do(func() { log.Append(said...) })
		})
	})
}

// saidBy returns the lines that are of an engine, and not of an older one with the same process id.
func saidBy(engine model.Engine, lines []logs.Line) []status.LogLine {
	var said []status.LogLine
	for _, line := range lines {
		if !line.Time.Before(engine.Started.Add(-time.Minute)) { // it logs before it knows when it has started
			said = append(said, line.LogLine)
		}
	}
	return said
}
