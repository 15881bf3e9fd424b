package downstream

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                               "plain",
		"\x1b[1;31mred\x1b[0m \x1b]0;t\arest": "red rest",
		"a\tb\nc\r":                           "a b c ",
		"\x1b":                                "",
		"\x1b[":                               "",
		"x\x00\x7f\u0085\u202ey":              "xy",
		"\xffé":                               "\ufffdé",
		strings.Repeat("é", 60):               strings.Repeat("é", 48) + "…",
		strings.Repeat("x", 100):              strings.Repeat("x", 100),
		strings.Repeat("x", 101):              strings.Repeat("x", 97) + "…",
	} {
		if got := clean(in, 100); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mé\xff\n\x1b]0;title\x07", 5)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 4 + max(limit, -limit)&0xff
		got := clean(text, limit)
		if len(got) > limit || !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\n\r\t\x00\x7f") {
			t.Errorf("clean(%q, %d) = %q", text, limit, got)
		}
	})
}

func TestServerLog(t *testing.T) {
	var shown []LogLine
	now := time.Unix(0, 0)
	l := newServerLog(func(line LogLine) { shown = append(shown, line) }, strings.Clone)
	l.now = func() time.Time { return now }
	for range 10 * logBurst {
		l.add(SourceStderr, "", strings.Repeat("x", 1000))
	}
	if len(shown) != logBurst {
		t.Errorf("%d lines were shown, want %d", len(shown), logBurst)
	}
	if got := len(l.snapshot()); got != maxLogBytes/(1000+lineCost) {
		t.Errorf("%d lines are kept", got)
	}
	now = now.Add(time.Second)
	l.add(SourceStderr, "", "late")
	if tail := shown[logBurst:]; len(tail) != 2 ||
		tail[0].String() != "1800 lines left out here: the server writes too many" || tail[1].String() != "late" {
		t.Errorf("then came %+v", tail)
	}
	if cap(l.lines) > 4*maxLogBytes/lineCost {
		t.Errorf("the slice has grown to %d", cap(l.lines))
	}
}

// While a server floods its log, the log says once a second, and not again and again, how many lines were left out.
func TestFloodIsSaidOnceASecond(t *testing.T) {
	said, own := 0, 0
	now := time.Unix(0, 0)
	l := newServerLog(func(line LogLine) {
		if line.Source == SourceEngine {
			said++
		} else {
			own++
		}
	}, strings.Clone)
	l.now = func() time.Time { return now }
	const seconds, each = 5, 4000
	for range seconds * each {
		now = now.Add(time.Second / each)
		l.add(SourceStderr, "", "flood")
	}
	if said == 0 || said > seconds {
		t.Errorf("in %d seconds, the log says %d times that lines were left out", seconds, said)
	}
	if own < logBurst {
		t.Errorf("%d lines of the server are shown", own)
	}
}

func TestReason(t *testing.T) {
	l := newServerLog(nil, strings.Clone)
	l.add(SourceStdout, "", "please log in")
	if got := l.reason(1); got != "please log in" {
		t.Errorf("reason(1) = %q without anything on stderr", got)
	}
	for _, text := range []string{"node:internal:1", "  throw err;", "  ^", "Error: no module", "    at x (y)",
		"    at z", "}", "Node.js v20"} {
		l.add(SourceStderr, "", text)
	}
	l.add(SourceStdout, "", "not this")
	if got := l.reason(1); got != "Error: no module" {
		t.Errorf("reason(1) = %q", got)
	}
	if got := l.reason(2); got != "throw err; | Error: no module" {
		t.Errorf("reason(2) = %q", got)
	}
	l.add(SourceStderr, "", strings.Repeat("long ", 200))
	if got := l.reason(5); len(got) > maxReason || !strings.HasPrefix(got, "long long") {
		t.Errorf("reason(5) = %q", got)
	}
}

// TestReasons: the output of package runners and runtimes around the reason is left out.
func TestReasons(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/reasons.txtar")
	if err != nil || len(archive.Files)%2 != 0 {
		t.Fatalf("%d files, %v", len(archive.Files), err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		wrote, want := archive.Files[i], archive.Files[i+1]
		if want.Name != "reason" {
			t.Fatalf("%s has no reason", wrote.Name)
		}
		l := newServerLog(nil, strings.Clone)
		for line := range strings.Lines(string(wrote.Data)) {
			l.add(SourceStderr, "", strings.TrimSuffix(line, "\n"))
		}
		if got := l.reason(5); got != strings.TrimSpace(string(want.Data)) {
			t.Errorf("%s: %q", wrote.Name, got)
		}
	}
}

func TestTimeLimits(t *testing.T) {
	five, none := 5*time.Second, time.Duration(0)
	tests := []struct {
		server    config.Server
		handshake time.Duration
		list      time.Duration
	}{
		{config.Server{Command: "node"}, 10 * time.Second, 30 * time.Second},
		{config.Server{Command: "npx"}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: `C:\Program Files\nodejs\NPX.CMD`}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: "/usr/bin/docker"}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: "bun", Args: []string{"x", "y"}}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: "bun", Args: []string{"run.ts"}}, 10 * time.Second, 30 * time.Second},
		{config.Server{Command: "pnpm", Args: []string{"dlx"}}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: "cmd", Args: []string{"/c", "npx", "-y"}}, 120 * time.Second, 120 * time.Second},
		{config.Server{Command: "cmd.exe", Args: []string{"/C", "node"}}, 10 * time.Second, 30 * time.Second},
		{config.Server{Command: "npx", StartupTimeout: &five}, 5 * time.Second, 30 * time.Second},
		{config.Server{Command: "node", StartupTimeout: &none}, 0, 0},
	}
	for _, test := range tests {
		o := Options{Server: &test.server}
		if o.handshakeTimeout() != test.handshake || o.listTimeout() != test.list {
			t.Errorf("%s %v: %v and %v, want %v and %v", test.server.Command, test.server.Args, o.handshakeTimeout(),
				o.listTimeout(), test.handshake, test.list)
		}
	}
}
