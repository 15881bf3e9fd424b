package serverlog

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// opened is a log in a window, with a record of what was copied and saved.
type opened struct {
	*Log
	t      *testing.T
	window *kittest.Window
	copied string
	saved  map[string]string
}

func open(t *testing.T, size fyne.Size, variant fyne.ThemeVariant) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &opened{t: t, saved: map[string]string{}}
	d.Log = New(d)
	d.window = kittest.Open(t, d.Object(), size)
	d.Apply(View{Toolbox: "dev", Server: "my files/x", Empty: "It was not started yet."})
	return d
}

func (d *opened) Copy(text string)                { d.copied = text }
func (d *opened) SaveAs(name string, data []byte) { d.saved[name] = string(data) }

var (
	wide   = fyne.NewSize(680, 620)
	narrow = fyne.NewSize(480, 420)
	start  = time.Date(2026, 5, 4, 10, 42, 0, 0, time.UTC)
)

// many returns lines whose texts have the numbers from from to to-1.
func many(from, to int) []status.LogLine {
	var lines []status.LogLine
	for i := from; i < to; i++ {
		lines = append(lines, status.LogLine{Time: start.Add(time.Duration(i) * time.Second), Source: "stderr",
			Text: fmt.Sprintf("line %d of the server", i)})
	}
	return lines
}

func (d *opened) picture(name string) {
	d.t.Helper()
	drawn.Keep(d.t, d.window.Canvas(), name)
}

func TestFollow(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	d.window.Reads("Nothing in the log", "It was not started yet.")
	d.Set(many(0, 200))
	d.window.Reads("line 199 of")
	d.window.Lacks("line 0 of", "Nothing in the log")
	d.Append(many(200, 210)...)
	d.window.Reads("line 209 of")
	d.pane.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1000)})
	d.window.Lacks("line 209 of")
	seen := d.pane.scroll.Offset.Y
	d.Append(many(210, 215)...)
	d.window.Lacks("line 214 of")
	d.window.Reads("5 new lines")
	if d.pane.scroll.Offset.Y != seen {
		t.Errorf("the line that is read has moved from %v to %v", seen, d.pane.scroll.Offset.Y)
	}
	test.Tap(d.newer)
	d.window.Reads("line 214 of")
	if d.newerAt.Visible() {
		t.Error("new lines are still offered")
	}
	d.Append(many(215, 216)...)
	d.window.Reads("line 215 of")
}

func TestSearchTheLog(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	d.Set(many(0, 300))
	d.FocusSearch(d.window.Canvas())
	test.Type(d.matches.search, "LINE 10")
	d.window.Reads("11 of 11", "line 109 of") // 10 and 100 to 109 match; the newest is shown first
	d.matches.search.OnSubmitted("")
	d.window.Reads("1 of 11", "line 10 of")
	test.Tap(d.matches.before)
	d.window.Reads("11 of 11")
	test.Tap(d.matches.before)
	d.window.Reads("10 of 11", "line 108 of")
	test.Tap(d.matches.only)
	d.window.Reads("Copy shown", "line 10 of", "line 100 of")
	d.window.Lacks("line 99 of", "line 110 of")
	test.Tap(d.copies)
	if got := strings.Count(d.copied, "\n"); got != 11 ||
		!strings.HasPrefix(d.copied, "2026-05-04 10:42:10.000  Server  line 10 of the server\n") {
		t.Errorf("%d lines are copied: %.80s", got, d.copied)
	}
	d.Append(status.LogLine{Time: start, Source: "engine", Text: "saw line 10 again"})
	d.window.Reads("of 12", "saw line 10 again")
	d.matches.search.SetText("nothing like it")
	d.window.Reads("0 matches", "Nothing matches")
	d.matches.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.window.Reads("Copy all")
	test.Tap(d.saves)
	if got := strings.Count(d.saved["my-files-x-log.txt"], "\n"); got != 301 {
		t.Errorf("%d lines are saved, in %v files", got, len(d.saved))
	}
}

// TestNewMatchesAreCounted checks that only new lines that are shown are counted, also when old lines are dropped at
// the same time.
func TestNewMatchesAreCounted(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	d.Set(many(0, MaxLines))
	d.Append(many(MaxLines, MaxLines+slack)...) // as many as are kept before old lines are dropped
	test.Type(d.matches.search, "line 1")
	test.Tap(d.matches.only)
	d.pane.toEnd()
	d.pane.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1000)})
	d.Append(many(19_999, 20_001)...) // only the first matches
	d.window.Reads("1 new line")
	d.window.Lacks("new lines")
}

func TestSelectLines(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	long := strings.Repeat("a long line that needs more room than it has ", 50)
	d.Set(append(many(0, 5), status.LogLine{Time: start, Source: "message", Level: "error", Text: long + "\u202eend"}))
	canvas := d.window.Canvas()
	canvas.Focus(d.pane)
	d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	d.window.Reads("Server, error", "2026-05-04 10:42:00.000", "more room than it has  end")
	d.pane.TypedShortcut(&fyne.ShortcutCopy{})
	if !strings.Contains(d.copied, "end\n") || strings.Count(d.copied, "\n") != 1 {
		t.Errorf("%.50q… is copied, of %d bytes", d.copied, len(d.copied))
	}
	d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	d.choose(d.list.at(2).number, true)
	d.window.Reads("Copy selected")
	test.Tap(d.copies)
	if got := strings.Count(d.copied, "\n"); got != 3 {
		t.Errorf("%d lines are copied", got)
	}
	d.pane.TypedShortcut(&fyne.ShortcutSelectAll{})
	d.pane.TypedShortcut(&fyne.ShortcutCopy{})
	if got := strings.Count(d.copied, "\n"); got != 6 {
		t.Errorf("%d lines are copied", got)
	}
	test.Tap(d.clears)
	d.window.Reads("Nothing in the log")
	d.Append(many(7, 8)...)
	d.window.Reads("line 7 of")
	d.Apply(View{Toolbox: "dev", Server: "other"})
	d.window.Reads("Nothing in the log")
}

// A log of ten thousand lines must have widgets only for the visible rows. When the oldest lines are dropped, those
// that the user reads stay in place.
func TestLongLog(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	begin := time.Now()
	d.Set(many(0, MaxLines+5000))
	d.window.Canvas().Capture()
	t.Logf("set in %v", time.Since(begin))
	if d.pane.rows.Count() > 50 {
		t.Errorf("%d rows have widgets", d.pane.rows.Count())
	}
	d.pane.by(-500)
	var before string
	for line := range strings.Lines(d.window.Texts()) {
		if strings.HasPrefix(line, "line ") {
			before = line
			break
		}
	}
	begin = time.Now()
	for i := range 100 {
		d.Append(many(20_000+i*10, 20_010+i*10)...)
	}
	t.Logf("100 times 10 lines more in %v", time.Since(begin))
	if len(d.list.lines) > MaxLines+slack {
		t.Errorf("%d lines are kept", len(d.list.lines))
	}
	d.window.Reads(strings.TrimSpace(before), "1,000 new lines")
	begin = time.Now()
	test.Type(d.matches.search, "7 of")
	t.Logf("typed a search in %v", time.Since(begin))
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("typing a search takes %v", took)
	}
}

func TestPictures(t *testing.T) {
	if !drawn.Wanted() {
		t.Skip("no folder for pictures")
	}
	lines := []status.LogLine{
		{Time: start, Source: "engine", Text: "starting npx -y @modelcontextprotocol/server-filesystem /home/someone"},
		{Time: start.Add(time.Second), Source: "stderr",
			Text: "npm warn deprecated node-domexception@1.0.0: Use your platform's native DOMException instead"},
		{Time: start.Add(2 * time.Second), Source: "stdout", Text: "Secure MCP Filesystem Server running on stdio"},
		{Time: start.Add(3 * time.Second), Source: "engine", Text: "connected, 14 tools"},
		{Time: start.Add(4 * time.Second), Source: "message", Level: "warning", Text: "Client does not support roots"},
		{Time: start.Add(5 * time.Second), Source: "message", Level: "error",
			Text: "Error: ENOENT: no such file or directory, open " +
				"'/home/someone/a/very/long/path/that/does/not/fit/into/the/row/at/all.txt'"},
	}
	for name, variant := range map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark} {
		for size, pane := range map[string]fyne.Size{"680": wide, "480": narrow} {
			d := open(t, pane, variant)
			d.picture("log-empty-" + size + "-" + name)
			d.Set(append(many(0, 60), lines...))
			d.picture("log-" + size + "-" + name)
			test.Type(d.matches.search, "server")
			test.Tap(d.matches.before)
			d.picture("log-search-" + size + "-" + name)
			d.matches.search.SetText("")
			d.choose(d.list.at(65).number, false)
			d.pane.by(-10)
			d.Append(lines[0])
			d.picture("log-detail-" + size + "-" + name)
		}
	}
}

// A line that is shown in full goes with its log.
func TestAnotherServerShowsNoLineOfTheFirst(t *testing.T) {
	d := open(t, wide, base.VariantLight)
	d.Set(many(0, 10))
	d.choose(d.list.at(3).number, false)
	if len(d.detail.Objects) == 0 {
		t.Fatal("the line is not shown in full")
	}
	d.Apply(View{Toolbox: "dev", Server: "other"})
	if len(d.detail.Objects) > 0 {
		t.Error("a line of the other server is shown in full")
	}
}
