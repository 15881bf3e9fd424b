package detail

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Drawing another server asks no engine for anything. Its tools are requested after the window was drawn.
func TestDrawingAsksNoEngine(t *testing.T) {
	locale.Install().Speak("en")
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: filepath.Join(t.TempDir(), "l"), Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- hub.Run(ctx) }()
	defer func() {
		stop()
		<-ended
	}()
	var queue []func()
	tasks := task.New(func(f func()) { queue = append(queue, f) })
	document := config.Parse("c.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}}}}}`))
	now := &model.Snapshot{Good: document, File: model.File{Now: document},
		Live: &model.Live{Config: document.Config, Engines: []model.Engine{{
			ID: 1, Client: "Goose", Servers: []status.Server{{Toolbox: "dev", Name: "a", State: status.Connected}},
		}}}}
	d := New(Options{Tasks: tasks, Engines: engines.New(ctx, hub, nil, nil), Model: &model.Model{Snapshot: now},
		Actions: editor.Actions{Env: os.LookupEnv, LookPath: func(config.Server, func(string, error)) {}}})
	d.Open(editor.TabTools)

	d.Show(model.Choice{Toolbox: "dev", Server: "a"})
	if d.asking != (toolVersion{}) {
		t.Error("drawing the server has requested its tools")
	}
	for _, f := range queue {
		f()
	}
	if d.asking.at.Server != "a" {
		t.Error("the tools are not requested")
	}
	tasks.Cancel()
	tasks.Wait()
}
