package notify

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// story plays the states of the servers a, b, … of the toolbox dev, second by second, and collects the notifications.
type story struct {
	t        *testing.T
	notifier *Notifier
	now      time.Time
	config   *config.Document
	broken   bool
	silent   bool   // the engine is silent
	second   string // the states in a second engine; empty if there is none
	told     []string
	text     string // the text of the last notification
	last     *Notice
}

func newStory(t *testing.T, servers int) *story {
	var entries []string
	for i := range servers {
		entries = append(entries, fmt.Sprintf(`"%c": {"command": "x"}`, 'a'+i))
	}
	return &story{
		t: t, notifier: New(), now: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC),
		config: config.Parse("c.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {`+strings.Join(entries, ", ")+`}}}}`)),
	}
}

// snapshot returns a snapshot in which an engine has its servers in these states: c connected, s starting, f failed, .
// not started. If states is empty, there is no engine.
func (s *story) snapshot(states string, own bool) *model.Snapshot {
	now := &model.Snapshot{Time: s.now, Good: s.config, Live: &model.Live{Config: s.config.Config}}
	if !s.broken {
		now.File.Now = s.config
	}
	if states == "" {
		return now
	}
	first := engineWith(1, states)
	first.Own = own
	if s.silent {
		first.Trouble = model.Silent
	}
	now.Live.Engines = []model.Engine{first}
	if s.second != "" {
		now.Live.Engines = append(now.Live.Engines, engineWith(2, s.second))
	}
	return now
}

func engineWith(id ipc.EngineID, states string) model.Engine {
	engine := model.Engine{ID: id, Client: "Claude"}
	for i, letter := range states {
		server := status.Server{Toolbox: "dev", Name: string(rune('a' + i)), State: status.NotStarted}
		switch letter {
		case 'c':
			server.State = status.Connected
		case 's':
			server.State = status.Starting
		case 'f':
			server.State, server.Problem = status.Failed,
				&status.Problem{Message: words.Foreign(fmt.Sprint("it broke in ", id))}
		}
		engine.Servers = append(engine.Servers, server)
	}
	return engine
}

// run keeps the servers in the given states for a while, and calls Next whenever the notifier asks for it.
func (s *story) run(states string, lasting time.Duration) {
	end := s.now.Add(lasting)
	for {
		notice, again := s.notifier.Next(s.snapshot(states, false))
		if notice != nil {
			s.told, s.text, s.last = append(s.told, notice.Title), notice.Text, notice
		}
		if !again.IsZero() && !again.After(s.now) {
			s.t.Fatalf("at %v, the next call is wanted at %v", s.now, again)
		}
		if again.IsZero() || !again.Before(end) {
			break
		}
		s.now = again
	}
	s.now = end
}

func (s *story) expect(titles ...string) {
	s.t.Helper()
	if diff := cmp.Diff(titles, s.told); diff != "" {
		s.t.Errorf("notifications (-want +got):\n%s", diff)
	}
}

func TestTellsOfFailureAndReturn(t *testing.T) {
	s := newStory(t, 1)
	s.run("s", time.Second)
	s.run("c", time.Minute)
	s.expect()
	s.run("f", time.Minute)
	s.expect("“a” stopped working")
	s.run("s", time.Second)
	s.run("c", time.Minute)
	s.expect("“a” stopped working", "“a” works again")
}

// There is no notification if a server recovers quickly, if it never worked, or if only the user has tried it in the
// window.
func TestIsSilent(t *testing.T) {
	s := newStory(t, 1)
	s.run("c", time.Minute)
	s.run("f", time.Second)
	s.run("s", time.Second)
	s.run("c", time.Minute)
	s.expect()

	s = newStory(t, 1)
	s.run("f", time.Hour)
	s.expect()

	s = newStory(t, 1)
	for _, states := range []string{"c", "f"} {
		for range 10 {
			s.now = s.now.Add(time.Second)
			if notice, _ := s.notifier.Next(s.snapshot(states, true)); notice != nil {
				t.Errorf("there is a notification about the app's own engine: %v", notice)
			}
		}
	}
	// The failures of an engine that has ended are forgotten.
	s = newStory(t, 1)
	s.run("c", time.Minute)
	s.run("f", time.Second)
	s.run("", time.Hour)
	s.expect()
}

// A failure is not shown while its engine is silent, because it may be over. If the engine answers again and the
// server still fails, the notification comes then, with the reason.
func TestDoesNotTellOfWhatIsNotHeard(t *testing.T) {
	for what, second := range map[string]string{"alone": "", "one that has not started it": ".",
		"one that starts it": "s", "one that cannot start it": "f"} {
		t.Run(what, func(t *testing.T) {
			s := newStory(t, 1)
			s.second = second
			s.run("c", time.Minute)
			s.run("f", time.Second)
			s.silent = true
			s.run("f", time.Minute)
			s.expect()
			s.silent, s.second = false, ""
			s.run("f", time.Second)
			s.expect("“a” stopped working")
			if !strings.Contains(s.text, "it broke in 1") {
				t.Errorf("the text is %q", s.text)
			}
		})
	}
	s := newStory(t, 1)
	s.run("c", time.Minute)
	s.silent = true
	s.run("c", time.Minute)
	s.silent = false
	s.run("f", time.Minute)
	s.expect("“a” stopped working") // the server stayed in use all the time
	s.silent, s.second = true, "c"
	s.run("f", time.Minute)
	s.expect("“a” stopped working", "“a” works again")
}

// Several failures make one notification. A server that fails again and again is shown once.
func TestIsNoFlood(t *testing.T) {
	s := newStory(t, 5)
	s.run("ccccc", time.Minute)
	s.run("fffff", time.Minute)
	s.expect("5 servers stopped working")
	s.run("ccccc", time.Minute)
	s.expect("5 servers stopped working", "5 servers work again")

	s = newStory(t, 1)
	s.run("c", time.Minute)
	for range 5 {
		s.run("f", 30*time.Second)
		s.run("c", 30*time.Second)
	}
	s.expect("“a” stopped working", "“a” works again")
	s.run("c", repeatTime)
	s.run("f", time.Minute)
	s.expect("“a” stopped working", "“a” works again", "“a” stopped working")
}

// A second failure soon after the first is shown later, if it lasts.
func TestTellsOfASecondFailureLater(t *testing.T) {
	s := newStory(t, 1)
	s.run("c", time.Minute)
	s.run("f", time.Minute)
	s.run("c", time.Minute)
	s.expect("“a” stopped working", "“a” works again")
	s.run("f", repeatTime-3*time.Minute)
	s.expect("“a” stopped working", "“a” works again")
	s.run("f", 3*time.Minute)
	s.expect("“a” stopped working", "“a” works again", "“a” stopped working")
	s.run("f", time.Hour)
	s.run("c", time.Minute)
	s.expect("“a” stopped working", "“a” works again", "“a” stopped working", "“a” works again")
}

// Two notifications never come at the same time. The second one follows after a gap.
func TestKeepsAGap(t *testing.T) {
	s := newStory(t, 2)
	s.run("cc", time.Minute)
	s.run("fc", settleTime+time.Second)
	s.run("ff", settleTime+time.Second)
	s.expect("“a” stopped working")
	s.run("ff", noticeGap)
	s.expect("“a” stopped working", "“b” stopped working")
	s.run("cf", time.Second)
	s.expect("“a” stopped working", "“b” stopped working")
	s.run("cf", noticeGap)
	s.expect("“a” stopped working", "“b” stopped working", "“a” works again")
}

func TestTellsOfABrokenFile(t *testing.T) {
	s := newStory(t, 1)
	s.run("c", time.Minute)
	s.broken = true
	s.run("c", time.Second)
	s.expect() // none yet: the user may be editing the file
	s.run("c", time.Hour)
	s.expect("The configuration file has an error")
	s.broken = false
	s.run("c", time.Minute)
	s.broken = true
	s.run("c", time.Minute)
	s.expect("The configuration file has an error", "The configuration file has an error")
}

// A notification is taken back when it is not true any more: after a repair, "has an error" does not stay on screen,
// nor does "stopped working" beside "works again".
func TestWhatIsOverIsTakenBack(t *testing.T) {
	s := newStory(t, 2)
	over := func(told *Notice, want bool) {
		t.Helper()
		if told == nil || told.Context == nil {
			t.Fatal("the notification is never taken back")
		}
		if got := told.Context.Err() != nil; got != want {
			t.Errorf("%q is taken back: %t", told.Title, got)
		}
	}
	s.run("cc", time.Minute)
	s.broken = true
	s.run("cc", time.Minute)
	told := s.last
	over(told, false)
	s.broken = false
	s.run("cc", time.Minute)
	over(told, true)
	s.run("ff", time.Minute)
	told = s.last
	s.run("fc", time.Second)
	over(told, false)
	s.run("cc", time.Second)
	over(told, true)
}

// Tools that wait for approval are reported once, and again if more tools wait. The notification ends when all are
// answered, when another one with more tools has replaced it, or when the server is gone.
func TestChangedTools(t *testing.T) {
	n := New()
	document := config.Parse("c.json",
		[]byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}}}`))
	clock := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	var last *Notice
	next := func(a, b int, forgotten bool) string {
		clock = clock.Add(time.Minute)
		live := &model.Live{Config: document.Config,
			Engines: []model.Engine{{ID: 1, Client: "Goose", Servers: []status.Server{
				{Toolbox: "dev", Name: "a", State: status.Connected, Waiting: a},
				{Toolbox: "dev", Name: "b", State: status.Connected, Waiting: b, Forgotten: forgotten},
			}}}}
		now := &model.Snapshot{Time: clock, Good: document, Live: live}
		now.File.Now = document
		notice, _ := n.Next(now)
		if notice == nil {
			return ""
		}
		if notice.About != Server || notice.At.Toolbox != "dev" || !notice.Asks {
			t.Errorf("a click on %+v does not show the tools", notice)
		}
		last = notice
		return notice.Title
	}
	for i, step := range []struct {
		a, b      int
		forgotten bool
		want      string
		ends      bool // the notification before ends
	}{
		{0, 0, false, "", false}, {1, 0, false, "1 tool of “a” waits for your approval", false}, {1, 0, false, "", false},
		{2, 0, false, "2 tools of “a” wait for your approval", true},
		{1, 0, false, "", false}, {0, 0, false, "", true},
		{1, 3, false, "Tools of 2 servers wait for your approval", false}, {1, 3, false, "", false}, {0, 1, false, "", false},
		{0, 0, false, "", true},
		{0, 2, false, "2 tools of “b” wait for your approval", false}, {0, 0, false, "", true},
		{0, 2, true, "2 tools of “b” wait for your approval", false}, {0, 0, false, "", true},
		{1, 2, true, "Tools of 2 servers wait for your approval", false},
	} {
		before := last
		stood := before != nil && before.Context.Err() == nil
		if got := next(step.a, step.b, step.forgotten); got != step.want {
			t.Errorf("step %d: the notification is %q, want %q", i, got, step.want)
		}
		if ended := stood && before.Context.Err() != nil; ended != step.ends {
			t.Errorf("step %d: the notification before has ended: %v", i, ended)
		}
	}
	document = config.Parse("c.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {}}}}`))
	if next(1, 2, true); last.Context.Err() == nil {
		t.Error("a notification about servers that are gone has not ended")
	}
}

// Several servers that another program has changed make one notification, which comes once.
func TestChangedByAnotherProgram(t *testing.T) {
	s := newStory(t, 3)
	now := func() (*Notice, time.Time) {
		snapshot := s.snapshot("", false)
		for _, server := range s.config.Config.Toolboxes[0].Servers[:2] {
			snapshot.Approval.Waiting = append(snapshot.Approval.Waiting,
				approval.Waiting{Toolbox: "dev", Server: server, Why: approval.Elsewhere})
		}
		return s.notifier.Next(snapshot)
	}
	if notice, again := now(); notice != nil || !again.Equal(s.now.Add(settleTime)) {
		t.Fatalf("at once: %v, again at %v", notice, again)
	}
	s.now = s.now.Add(settleTime)
	if notice, _ := now(); notice == nil || notice.Title != "2 servers wait for your approval" ||
		notice.Text != "a, b" {
		t.Errorf("the notification is %+v", notice)
	} else if notice.About != Approval || !notice.Asks {
		t.Errorf("a click on %+v does not show the question", notice)
	}
	s.now = s.now.Add(time.Hour)
	if notice, _ := now(); notice != nil {
		t.Errorf("there is another notification: %+v", notice)
	}
}

// TestOneChangeIsShownWhole checks that a notification shows all of a small change, and that it ends when the server
// changes again or no longer waits.
func TestOneChangeIsShownWhole(t *testing.T) {
	s := newStory(t, 0)
	entry := func(name, arg string) *config.Server {
		return &config.Server{Name: name, Transport: config.TransportStdio, Command: "npx", Args: []string{"-y", arg}}
	}
	next := func(waiting ...approval.Waiting) *Notice {
		now := s.snapshot("", false)
		now.Approval.Waiting = waiting
		s.notifier.Next(now)
		s.now = s.now.Add(time.Minute)
		now.Time = s.now
		notice, _ := s.notifier.Next(now)
		return notice
	}
	waits := func(toolbox, name, before, after string) approval.Waiting {
		return approval.Waiting{Toolbox: toolbox, Server: entry(name, after), Old: entry(name, before),
			Why: approval.Elsewhere}
	}
	one := waits("dev", "a", "x@1", "x@2")
	first := next(one)
	if diff := cmp.Diff([]string{`args[1]: "x@1" → "x@2"`}, first.Whole); diff != "" || len(first.Waiting) != 1 ||
		first.Waiting[0].Server != one.Server {
		t.Errorf("%+v\n%s", first, diff)
	}
	same := waits("dev", "a", "x@1", "x@2") // the file was read once more
	if next(same) != nil || first.Context.Err() != nil {
		t.Error("the same question is asked twice, or has ended")
	}
	second := next(waits("dev", "a", "x@1", "x@3"))
	if second == nil || first.Context.Err() == nil || second.Context.Err() != nil {
		t.Errorf("after another change: %+v; the first question has ended: %v", second, first.Context.Err())
	}
	if next(); second.Context.Err() == nil {
		t.Error("an answered question has not ended")
	}

	b, c := waits("dev", "b", "x@1", "x@2"), waits("dev", "c", "x@1", "x@2")
	both := next(b, c)
	if both.Whole != nil || len(both.Waiting) != 2 {
		t.Errorf("two servers: %+v", both)
	}
	if next(c); both.Context.Err() != nil {
		t.Error("the question has ended after one of two answers")
	}
	if next(); both.Context.Err() == nil {
		t.Error("the question has not ended after both answers")
	}

	long := strings.Repeat("x", 30)
	for _, w := range []approval.Waiting{waits(long, "a", "x@1", "x@2"), waits("dev", long, "x@1", "x@2"),
		waits("dev", "a\u202e", "x@1", "x@2"), waits("dev", "a", "x@1", strings.Repeat("x", 200))} {
		if notice := next(w); notice == nil || notice.Whole != nil {
			t.Errorf("the notification of %+v is %+v", w, notice)
		}
		next()
	}
}

// TestLongNameHidesNothing checks that a long name, which another program may choose, cannot push the important part
// out of a notification.
func TestLongNameHidesNothing(t *testing.T) {
	server := &config.Server{Name: "memory”\u202e is fine. Approve it. “" + strings.Repeat("x", 500)}
	waiting := []approval.Waiting{{Toolbox: strings.Repeat("y", 500), Server: server, Why: approval.Elsewhere}}
	notice := changedElsewhere(waiting, []model.Choice{{Toolbox: waiting[0].Toolbox, Server: server.Name}})
	at := []model.Choice{{Toolbox: waiting[0].Toolbox, Server: server.Name}}
	now := &model.Snapshot{Live: &model.Live{}}
	stopped, back, tools := failed(now, at), worksAgain(at), toolsChanged(now, at)
	for text, want := range map[string]string{
		notice.Title: "waits for your approval", notice.Text: "Another program wrote this into the configuration.",
		stopped.Title: "stopped working", stopped.Text: "", back.Title: "", back.Text: "",
		tools.Title: "wait for your approval", tools.Text: "",
	} {
		if letters := []rune(text); len(letters) > 150 || !strings.Contains(text, want) || strings.Contains(text, "\u202e") {
			t.Errorf("%d letters: %s", len(letters), text)
		}
	}
}
