package editor

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestPictures checks that nothing on the screen is cut. If WORKBENCH_PICTURES is set to a folder, the pictures are
// saved there.
func TestPictures(t *testing.T) {
	connected := func(b *bench) {
		b.live.State = status.Connected
		b.shown = live.Shown{State: theme.StateConnected, Word: "Connected", Note: "14 tools",
			Detail: "Used by Claude Desktop."}
		b.apply()
	}
	const wrong = `{"toolboxes": {"dev": {"mcpServers": {"files": {
  "command": "npx ",
  "args": ["-y", 5, "${API_KEY}", "${input:x}"],
  "env": {"PORT": 8080, "API_TOKEN": "${keyring:gone}", "A=B": "x"},
  "cwd": "/nowhere/${unclosed",
  "headers": {"X": "y"}, "autoApprove": ["x"],
  "startupTimeout": "10", "callTimeout": -4
}}}}}`
	scenes := []struct {
		name   string
		source string
		do     func(*bench)
	}{
		{"stdio", plain, connected},
		{"bottom", plain, func(b *bench) {
			connected(b)
			b.tap("Advanced")
			b.window.Canvas().Focus(b.setup.form.switchOf("disabled").Switch)
		}},
		{"remote", plain, func(b *bench) {
			b.toolbox, b.server = "prod", "remote"
			b.apply()
			b.live.State = status.SignIn
			b.shown = live.Shown{State: theme.StateKey, Word: "Needs sign-in",
				Detail: "This server wants you to sign in with your account."}
			b.apply()
			b.tap("Add a key or value")
			b.typed(b.setup.form.headers.rows[1].nameInput, "Authorization")
		}},
		{"wrong", wrong, func(b *bench) {
			b.live.State = status.Failed
			b.shown = live.Shown{State: theme.StateWrong, Word: "Can't start",
				Detail: "npx was not found by apps, though your terminal finds it."}
			b.apply()
		}},
		{"python", strings.Replace(plain, `"npx"`, `"python3"`, 1), func(b *bench) { b.missing("python3", status.Failed) }},
		{"wrong2", wrong, func(b *bench) {
			b.window.Canvas().Focus(b.setup.form.call.input.Input)
		}},
		{"secrets", plain, func(b *bench) {
			connected(b)
			row := b.setup.form.env.rows[0]
			b.enter(row.valueInput, "debug")
			b.hold = true
			b.other(`"LEVEL": "info"`, `"LEVEL": "warn"`)
			b.window.Canvas().Focus(b.setup.form.env.add)
		}},
		{"rename", plain, func(b *bench) {
			connected(b)
			b.tap("Rename")
			b.header.name.Field.SetText("git")
		}},
		{"commandline", plain, func(b *bench) {
			b.enter(b.setup.form.command.input, `docker run -i --rm "mcp/time zone"`)
		}},
		{"typing", plain, func(b *bench) {
			connected(b)
			b.enter(b.setup.form.command.input, "uvx")
		}},
		{"json", plain, func(b *bench) {
			connected(b)
			b.Choose(model.TabJSON)
		}},
		{"jsonwrong", wrong, func(b *bench) {
			b.Choose(model.TabJSON)
			if b.json.hidden() {
				b.tap("Show secrets")
			}
			b.window.Canvas().Focus(b.json.code.Focusable())
			b.json.code.Goto(3, 12)
			b.json.code.Focusable().TypedRune('x')
		}},
	}
	for _, scene := range scenes {
		for place, size := range map[string]fyne.Size{"wide": wide, "narrow": narrow} {
			for name, look := range drawn.Looks(size) {
				t.Run(scene.name+"-"+name+"-"+place, func(t *testing.T) {
					b := openIn(t, look.Begin(t), scene.source, size)
					scene.do(b)
					b.settle()
					b.window.Content().Refresh()
					drawn.Keep(t, b.window.Canvas(), scene.name+"-"+name+"-"+place)
				})
			}
		}
	}
}
