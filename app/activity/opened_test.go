package activity

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The sizes of the screen in windows of 1100 × 720 and 800 × 560 pixels. The navigation bar and the status line take
// the rest.
var (
	normal = fyne.NewSize(1100-96, 720-36)
	small  = fyne.NewSize(800-96, 560-36)
)

// noon returns the current time of the tests.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// opened is a screen in a window. It records what the controls have done.
type opened struct {
	*Screen
	window fyne.Window
	done   []string
	ends   []func(error) // of CloseToolbox
}

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{}
	o.Screen = New(fake{o}, &model.OpenedCalls{})
	o.Apply(view)
	o.window = test.NewWindow(kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	t.Cleanup(o.window.Close)
	o.window.SetPadded(false)
	o.window.Resize(size)
	return o
}

// fake is the program of a screen that a test has opened. It notes what it is asked for.
type fake struct{ *opened }

func (f fake) note(format string, args ...any) { f.done = append(f.done, fmt.Sprintf(format, args...)) }

func (f fake) CloseToolbox(engine ipc.EngineID, toolbox string, done func(error)) {
	f.note("close %v %s", engine, toolbox)
	f.ends = append(f.ends, done)
}

func (f fake) HasLogs() bool                            { return true }
func (f fake) ShowLog(engine model.Engine)              { f.note("log %v", engine.ID) }
func (f fake) Export(format Format, calls []model.Call) { f.note("export %s %d", format, len(calls)) }
func (f fake) Copy(text string)                         { f.note("copy %s", text) }
func (f fake) ShowServer(at model.Choice)               { f.note("show %s %s", at.Toolbox, at.Server) }
func (f fake) ShowChanges(at model.Choice)              { f.note("changes %s %s", at.Toolbox, at.Server) }

func newApp(t testing.TB) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
}

// seen lists all visible objects.
func seen(object fyne.CanvasObject) []fyne.CanvasObject { return kittest.Seen(object) }

// texts lists all visible texts.
func (o *opened) texts() string { return kittest.Texts(seen(o.window.Content())) }

func (o *opened) reads(t *testing.T, wanted ...string) {
	t.Helper()
	kittest.Reads(t, o.texts(), wanted...)
}

func (o *opened) lacks(t *testing.T, unwanted ...string) {
	t.Helper()
	kittest.Lacks(t, o.texts(), unwanted...)
}

// tap clicks the button with a label.
func (o *opened) tap(t *testing.T, label string) {
	t.Helper()
	kittest.Tap(t, seen(o.window.Content()), lang.L(label))
}

func sampleEngines() []model.Engine {
	return []model.Engine{
		{ID: 7, Client: "Claude Desktop", Program: "1.0.0", Started: noon().Add(-2 * time.Hour),
			Initialized: noon().Add(-78 * time.Minute), Open: []string{"dev", "research"}},
		{ID: 8, Client: "Cursor", Program: "0.9.2", Started: noon().Add(-time.Hour), Initialized: noon().Add(-time.Hour)},
		{ID: 9, Client: "VS Code", Program: "1.0.0", Started: noon()},
	}
}

// sampleCalls returns at least one call of each outcome, from old to new.
func sampleCalls() []model.Call {
	call := func(id uint64, ago time.Duration, client, where string, outcome status.Outcome,
		took time.Duration) model.Call {
		parts := strings.Split(where, "/")
		engine := map[string]ipc.EngineID{"Claude Desktop": 7, "Cursor": 8}[client]
		return model.Call{Engine: engine, Client: client,
			Call: status.Call{ID: id, Toolbox: parts[0], Server: parts[1], Tool: parts[2],
				Started: noon().Add(-ago), Duration: took, Outcome: outcome, ResultBytes: int(took / 40_000)}}
	}
	const claude, cursor = "Claude Desktop", "Cursor"
	calls := []model.Call{
		call(1, 31*time.Minute, claude, "dev/filesystem/list_allowed_directories", status.Done, 400*time.Microsecond),
		call(2, 30*time.Minute, claude, "dev/filesystem/read_text_file", status.Done, 12*time.Millisecond),
		call(3, 29*time.Minute, claude, "dev/memory/create_entities", status.Done, 31*time.Millisecond),
		call(1, 22*time.Minute, cursor, "research/search/web_search", status.Error, 30*time.Second),
		call(4, 21*time.Minute, claude, "dev/filesystem/write_file", status.ToolError, 9*time.Millisecond),
		call(2, 15*time.Minute, cursor, "research/papers/search_papers_by_author_and_year_of_publication", status.Done,
			2340*time.Millisecond),
		call(5, 9*time.Minute, claude, "dev/git/git_log", status.Done, 87*time.Millisecond),
		call(6, 8*time.Minute, claude, "dev/git/git_diff", status.Done, 143*time.Millisecond),
		call(7, 5*time.Minute, claude, "home/notes/export_everything", status.Cancelled, 95*time.Second),
		call(8, 40*time.Second, claude, "dev/memory/search_nodes", status.Done, 18*time.Millisecond),
		call(3, 12*time.Second, cursor, "research/papers/download_paper", status.Running, 0),
		call(9, 2*time.Second, claude, "dev/filesystem/search_files", status.Running, 0),
	}
	calls[3].Problem = words.Foreign("search did not answer within 30 s")
	calls[3].Arguments = `{"query": "model context protocol"}`
	calls[4].Problem = words.Foreign(
		"Access denied - path outside allowed directories: /etc/hosts not in /home/me/projects")
	calls[4].Arguments = `{"path": "/etc/hosts", "content": "127.0.0.1 example.com", "options": {"token": "•••", "overwrite": true, "tags": ["one", "two"]}}`
	calls[10].Arguments = `{"id": "2411.01234", "format": "pdf`
	return calls
}

func sample() View {
	return View{Calls: sampleCalls(), Engines: sampleEngines(), Version: "1.0.0", Now: noon()}
}

// many returns a long list of calls, as after a long day.
func many(count int) []model.Call {
	calls := make([]model.Call, count)
	for i := range calls {
		calls[i] = sampleCalls()[i%10]
		calls[i].ID, calls[i].Started = uint64(i), noon().Add(-time.Duration(count-i)*time.Second)
	}
	return calls
}
