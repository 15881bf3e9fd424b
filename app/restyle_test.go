package app

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
)

// Another theme looks the same whether it is brought by Fyne or by the window itself, also on what was hidden then.
func TestAnotherThemeLooksAsFynesOwn(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"description": "Tools", "mcpServers": {"a": {"command": "not-there-at-all", "args": ["1", "2"],
		"env": {"A": "b", "T": "${MISSING}"}}, "b": {"url": "https://example.com/mcp", "disabled": true}}}}}`, nil)
	b.untilOwn()
	server := func(tab editor.Tab) func() {
		return func() {
			b.choose(placeToolboxes)
			b.toolboxes.Select(toolboxes.Choice{Toolbox: "dev", Server: "a"})
			b.detail.Open(tab)
		}
	}
	screens := []struct {
		name string
		show func()
	}{
		{"toolbox", func() { b.choose(placeToolboxes); b.toolboxes.Select(toolboxes.Choice{Toolbox: "dev"}) }},
		{"clients", func() { b.choose(placeClients) }},
		{"activity", func() { b.choose(placeActivity) }},
		{"setup", server(editor.TabSetup)},
		{"tools", server(editor.TabTools)},
		{"log", server(editor.TabLog)},
		{"json", server(editor.TabJSON)},
		{"settings", func() { b.choose(placeSettings) }},
		{"file", b.showFile},
	}
	wear := func(look theme.Look) {
		b.window.Looks.Before()
		b.app.Settings().SetTheme(theme.Theme{Look: look})
		b.window.Looks.After()
		b.drain()
	}
	for _, screen := range screens {
		screen.show()
		b.drain()
	}
	look := theme.LookLight
	for i, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			for _, from := range []int{i, (i + 1) % len(screens)} {
				look = theme.LookLight + theme.LookDark - look
				screens[from].show()
				b.drain()
				wear(look)
				screen.show()
				b.drain()
				got := b.window.Window.Canvas().Capture()
				b.app.Settings().SetTheme(theme.Theme{Look: look})
				want := b.window.Window.Canvas().Capture()
				if where := differ(got, want); where != "" {
					t.Errorf("from %s on, to look %d: %s", screens[from].name, look, where)
					if folder := os.Getenv("WORKBENCH_PICTURES"); folder != "" {
						keep(t, filepath.Join(folder, screen.name+"-from-"+screens[from].name+"-got.png"), got)
						keep(t, filepath.Join(folder, screen.name+"-from-"+screens[from].name+"-want.png"), want)
					}
				}
			}
		})
	}
}

// Who goes to another screen right after the theme has changed does not see it in the old one.
func TestAnotherThemeIsThereAtOnce(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.untilOwn()
	b.choose(placeToolboxes)
	b.drain()
	b.choose(placeSettings)
	b.drain()
	canvas := b.window.Window.Canvas()
	var ground color.Color // of the bar at the left
	for _, look := range []theme.Look{theme.LookLight, theme.LookDark} {
		b.drain()
		ground = canvas.Capture().At(2, 360)
		b.window.Looks.Before()
		b.app.Settings().SetTheme(theme.Theme{Look: look})
		b.window.Looks.After()
	}
	for canvas.Capture().At(2, 360) == ground { // until what can be seen has it; the rest waits
		(<-b.queue)()
	}
	b.choose(placeToolboxes)
	got := canvas.Capture()
	b.drain()
	if where := differ(got, canvas.Capture()); where != "" {
		t.Error(where)
	}
}

// drain does what has come to the goroutine of the window, and what that brings to it.
func (b *bench) drain() {
	for {
		select {
		case f := <-b.queue:
			f()
		default:
			return
		}
	}
}

// differ tells how two pictures differ; empty when they do not.
func differ(a, b image.Image) string {
	if a.Bounds() != b.Bounds() {
		return fmt.Sprintf("one is %v, the other %v", a.Bounds(), b.Bounds())
	}
	var where image.Rectangle
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				where = where.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if where.Empty() {
		return ""
	}
	return fmt.Sprintf("the pictures differ in %v", where)
}

func keep(t *testing.T, path string, picture image.Image) {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
