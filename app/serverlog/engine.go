package serverlog

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Sizes of the dialog, in pixels.
const (
	engineWidth  = 860
	engineHeight = 390
)

// ShowEngine shows a dialog with the lines that the folder has of an engine. New lines are added while the dialog is
// open.
func ShowEngine(engine model.Engine, window *frame.Window, tasks *task.Tasks, folder logs.Folder) {
	log := New(window)
	log.Apply(View{Server: engine.Client, Empty: lang.L("New lines appear here.")})
	title := lang.L("Log of the engine of {{.Client}}", map[string]any{"Client": kit.Line(engine.Client)})
	shown := kit.NewWideQuestion(title, engineWidth, container.NewStack(kit.NewGap(0, engineHeight), log.Object()),
		window.Window)
	looking, stop := context.WithCancel(tasks.Context())
	shown.SetOnClosed(stop)
	shown.SetAgain(func() {
		stop()
		ShowEngine(engine, window, tasks, folder)
	})
	closes := kit.NewButton(lang.L("Close"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{closes})
	window.ShowDialog(shown)
	window.Window.Canvas().Focus(closes)
	tasks.Background(func() {
		begun := false
		folder.Follow(looking, logs.Selection{Engine: engine.Pid}, func(lines []logs.Line) {
			said := saidBy(engine, lines)
			if !begun {
				said, begun = engines.WithDays(said, time.Now()), true
			}
			tasks.Do(func() { log.Append(said...) })
		})
	})
}

// saidBy returns the lines of an engine, without those of an older engine with the same process id.
func saidBy(engine model.Engine, lines []logs.Line) []status.LogLine {
	var said []status.LogLine
	for _, line := range lines {
		if !line.Time.Before(engine.Started.Add(-time.Minute)) { // an engine may log before its recorded start
			said = append(said, line.LogLine)
		}
	}
	return said
}
