package app

import (
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

func firstStepsFinder(b *bench) *textFinder {
	data := []string{"Workbench", "Desktop", "JSON", "MCP", "Node.js", "Docker", "Git", "Python", "uv", "npx", "sh", "true",
		"claude-desktop", "notes", "time", "server", "workbench-engine", "Qwen", "Code"}
	for _, app := range client.All() {
		data = append(data, app.Name)
	}
	return &textFinder{bench: b, data: data, found: map[string][]string{}}
}

// TestMadeUpLanguageOfFirstSteps does what TestMadeUpLanguage does, for a window without servers and for the first
// steps until an app has started Workbench.
func TestMadeUpLanguageOfFirstSteps(t *testing.T) {
	madeUp(t)
	b, h := newFirstBench(t, "", model.FirstStepsNone)
	had, err := os.ReadFile(h.claude)
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, h.claude, strings.Replace(string(had), `"sh"`, `"true"`, 1)) // a program that writes nothing
	l := firstStepsFinder(b)
	l.look("no toolboxes")
	b.greet()
	l.untilReads(lang.L("Find servers"))
	l.look("the beginning of the first steps")
	b.untilMain(lang.L("Find servers"))
	b.untilMain(lang.N("Bring in {{.Count}} servers", 2, map[string]any{"Count": 2}))
	b.untilReads(lang.L("A connected app starts Workbench by itself and gets your toolboxes."))
	l.look("connecting")
	claude := map[string]any{"App": "Claude Desktop"}
	b.untilMain(lang.L("Connect {{.App}}", claude))
	b.untilReads(lang.L("Waiting for {{.App}} to start Workbench…", claude))
	l.look("waiting for an app")
	if err := b.options.Apps.Registrar.RecordProof(
		engine.Proof{Client: "claude-desktop", Time: time.Now(), Config: b.path}); err != nil {
		t.Fatal(err)
	}
	b.apps.Find()
	b.untilReads(lang.L("{{.App}} can use your toolboxes", claude))
	l.look("the end")
	b.undo()
	b.untilReads(lang.L("Your toolboxes are still empty"))
	l.look("the end without servers")
	l.tell()
}

// TestMadeUpLanguageOfTheExample is the same for a computer without servers to bring in.
func TestMadeUpLanguageOfTheExample(t *testing.T) {
	madeUp(t)
	b, h := newFirstBench(t, "", model.FirstStepsNone)
	if err := os.Remove(h.claude); err != nil {
		t.Fatal(err)
	}
	l := firstStepsFinder(b)
	b.greet()
	l.until(func() string {
		if b.welcome == nil {
			return "they are not shown"
		}
		return ""
	})
	l.look("an example")
	l.tell()
}
