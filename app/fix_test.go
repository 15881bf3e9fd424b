package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// If a server does not answer in time, Fix… leads to the field for the time limit, and the text says so.
func TestFixOfATimeLimit(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sleep", "args": ["60"], "startupTimeout": 1}}}}}`, nil)
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.untilOwn()
	b.openToolbox("dev", true)
	b.untilWord("a", "Can't start")
	detail := ""
	for _, server := range b.now.view.Toolboxes[0].Servers {
		detail = server.Detail
	}
	if want := "It did not answer within 1 s. Its log says what it did. If it only needs longer to start, give " +
		"it more time: “Time limits” in its Setup."; detail != want {
		t.Errorf("the card says %q", detail)
	}
	b.fix(at)
	field := b.window.Window.Canvas().Focused()
	if field == nil {
		t.Fatal("no field has the focus")
	}
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	field.TypedRune('5')
	b.commit()
	b.until(func() string {
		if !strings.Contains(b.text(), `"startupTimeout": 15`) {
			return "the file has\n" + b.text()
		}
		return ""
	})
}
