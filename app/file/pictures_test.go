package file

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
)

// scenes returns the states of the screen that are drawn.
func scenes() map[string]func(t *testing.T, b *bench) {
	typed := func(b *bench) {
		b.types("Development tools", " for everyday work")
		b.wait()
	}
	return map[string]func(t *testing.T, b *bench){
		"normal": func(t *testing.T, b *bench) { b.types("Development", "") },
		"shown":  func(t *testing.T, b *bench) { b.tap("Show secrets") },
		"secret": func(t *testing.T, b *bench) { b.types(`GITHUB_TOKEN": "`, "x") },
		"typing": func(t *testing.T, b *bench) { b.types("Development tools", " of") },
		"problems": func(t *testing.T, b *bench) {
			b.types(`"memory": { "comm`, "x")
			b.types(`"LEVEL": "info"`, `, "PORT": 80, "X": "${NOT}`)
		},
		"conflict": func(t *testing.T, b *bench) {
			b.types("Development", " and research")
			b.outside(with(t, "Development tools", "Their tools"))
		},
		"difference": func(t *testing.T, b *bench) {
			b.types("Development", " and research")
			b.outside(with(t, "Development tools", "Their tools"))
			b.tap("Show the difference")
		},
		"broken": func(t *testing.T, b *bench) {
			b.outside(strings.Replace(with(t, `"command": "npx",`+"\n", `"command": "npx",,`+"\n"), `"research":`, `research:`,
				1))
		},
		"repair": func(t *testing.T, b *bench) {
			b.outside(strings.Replace(with(t, `"command": "npx",`+"\n", `"command": "npx",,`+"\n"), `"research":`, `research:`,
				1))
			b.tap("Repair everything")
		},
		"removed": func(t *testing.T, b *bench) {
			if err := os.Remove(b.file); err != nil {
				t.Fatal(err)
			}
			b.reload()
		},
		"history": func(t *testing.T, b *bench) {
			typed(b)
			b.outside(strings.Replace(with(t, "info", "debug"), "Development tools", "Development tools for everyday work", 1))
			b.types("debug", "ger")
			b.wait()
			b.now = b.now.Add(7 * time.Minute)
			b.ShowHistory()
			b.window.Canvas().Focus(b.history.list.List)
			b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		},
		"missing": func(t *testing.T, b *bench) {
			b.outside(with(t, `"GITHUB_TOKEN": "`+token+`", `, ""))
			b.now = b.now.Add(26 * time.Hour)
			b.ShowHistory()
			b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			b.history.mode.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		},
		"long": func(t *testing.T, b *bench) {
			var text strings.Builder
			for i := range 4000 {
				fmt.Fprintf(&text, "// line %d of many, with quite a lot of words in it so that it does not fit beside the "+
					"list of versions\n", i)
			}
			b.outside(text.String() + plainText)
			b.ShowHistory()
		},
	}
}

// TestScenes draws every state of the screen in both sizes and checks that none needs more room than there is. If
// WORKBENCH_PICTURES names a folder, it saves light and dark pictures of them there.
func TestScenes(t *testing.T) {
	for name, scene := range scenes() {
		for tag, size := range map[string]fyne.Size{"": usual, "-small": small} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					b := openAs(t, plainText, size, look.Begin(t).Variant)
					scene(t, b)
					if least := b.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen needs %v and has %v", least, size)
					}
					drawn.Keep(t, b.window.Canvas(), name+tag+"-"+tone)
				})
			}
		}
	}
}
