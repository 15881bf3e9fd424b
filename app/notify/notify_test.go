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
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// story is what happens to servers "dev › a", "dev › b" … second by second.
type story struct {
	t        *testing.T
	notifier *Notifier
	now      time.Time
	config   *config.Document
	broken   bool
	silent   bool   // nothing is heard of the engine
	second   string // the states in another engine; none means that there is no other
	told     []string
	text     string // of what was told last
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

// moment is a snapshot in which an engine has its servers in these states: c connected, s starting, f failed, . not started. No states
// mean no engine.
func (s *story) moment(states string, own bool) *model.Snapshot {
	now := &model.Snapshot{Time: s.now, Good: s.config, Live: &model.Live{Config: s.config.Config}}
	if !s.broken {
		now.File.Now = s.config
	}
	if states == "" {
		return now
	}
	first := engineWith("1", states)
	first.Own = own
	if s.silent {
		first.Trouble = model.Silent
	}
	now.Live.Engines = []model.Engine{first}
	if s.second != "" {
		now.Live.Engines = append(now.Live.Engines, engineWith("2", s.second))
	}
	return now
}

func engineWith(id, states string) model.Engine {
	engine := model.Engine{ID: id, Client: "Claude"}
	for i, letter := range states {
		server := status.Server{Toolbox: "dev", Name: string(rune('a' + i)), State: status.NotStarted}
		switch letter {
		case 'c':
			server.State = status.Connected
		case 's':
			server.State = status.Starting
		case 'f':
			server.State, server.Problem = status.Failed, &status.Problem{Message: words.Foreign("it broke in " + id)}
		}
		engine.Servers = append(engine.Servers, server)
	}
	return engine
}

// run lets states be for a while, asking the notifier when it wants to be asked.
func (s *story) run(states string, lasting time.Duration) {
	end := s.now.Add(lasting)
	for {
		notice, again := s.notifier.Next(s.moment(states, false))
		if notice != nil {
			s.told, s.text = append(s.told, notice.Title), notice.Text
		}
		if !again.IsZero() && !again.After(s.now) {
			s.t.Fatalf("at %v it wants to be asked at %v", s.now, again)
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
		s.t.Errorf("told (-want +got):\n%s", diff)
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

// A server that comes back at once is no news, nor is one that has never worked, or that the user tries in the window.
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
			if notice, _ := s.notifier.Next(s.moment(states, true)); notice != nil {
				t.Errorf("it tells of the app's own engine: %v", notice)
			}
		}
	}
	// An engine that ends takes its failures with it.
	s = newStory(t, 1)
	s.run("c", time.Minute)
	s.run("f", time.Second)
	s.run("", time.Hour)
	s.expect()
}

// What an engine had last is not told once it is not heard any more, for nobody knows what became of it. If it is heard again and
// the failure still stands, that is told, with the reason for it.
func TestDoesNotTellOfWhatIsNotHeard(t *testing.T) {
	for what, second := range map[string]string{"alone": "", "one that has not started it": ".", "one that starts it": "s", "one that cannot start it": "f"} {
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
				t.Errorf("it says %q", s.text)
			}
		})
	}
	s := newStory(t, 1)
	s.run("c", time.Minute)
	s.silent = true
	s.run("c", time.Minute)
	s.silent = false
	s.run("f", time.Minute)
	s.expect("“a” stopped working") // it was in use all the time
	s.silent, s.second = true, "c"
	s.run("f", time.Minute)
	s.expect("“a” stopped working", "“a” works again")
}

// However many servers fail, there is one notification, and one that fails again and again is told once.
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

// One that fails again soon is told of later, if it stays so.
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

// Two things at one time come one after the other.
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
	s.expect() // somebody is writing it
	s.run("c", time.Hour)
	s.expect("The configuration file has an error")
	s.broken = false
	s.run("c", time.Minute)
	s.broken = true
	s.run("c", time.Minute)
	s.expect("The configuration file has an error", "The configuration file has an error")
}

// That tools of a server wait for the user is told once, and again when more of them do.
func TestChangedTools(t *testing.T) {
	n := New()
	document := config.Parse("c.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}}}`))
	moment := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	next := func(a, b int) string {
		moment = moment.Add(time.Minute)
		live := &model.Live{Config: document.Config, Engines: []model.Engine{{ID: "1", Client: "Goose", Servers: []status.Server{
			{Toolbox: "dev", Name: "a", State: status.Connected, Waiting: a}, {Toolbox: "dev", Name: "b", State: status.Connected, Waiting: b},
		}}}}
		now := &model.Snapshot{Time: moment, Good: document, Live: live}
		now.File.Now = document
		notice, _ := n.Next(now)
		if notice == nil {
			return ""
		}
		if notice.About != Server || notice.At.Toolbox != "dev" || !notice.Asks {
			t.Errorf("a click on %+v does not show the tools", notice)
		}
		return notice.Title
	}
	for i, step := range []struct {
		a, b int
		want string
	}{
		{0, 0, ""}, {1, 0, "“a”: 1 tool has changed"}, {1, 0, ""}, {2, 0, "“a”: 2 tools have changed"}, {1, 0, ""}, {0, 0, ""},
		{1, 3, "Tools of 2 servers have changed"}, {1, 3, ""}, {0, 0, ""}, {0, 2, "“b”: 2 tools have changed"},
	} {
		if got := next(step.a, step.b); got != step.want {
			t.Errorf("step %d: told %q, want %q", i, got, step.want)
		}
	}
}

// Several servers that another program has changed are one notification, told once.
func TestChangedByAnotherProgram(t *testing.T) {
	s := newStory(t, 3)
	now := func() (*Notice, time.Time) {
		moment := s.moment("", false)
		for _, server := range s.config.Config.Toolboxes[0].Servers[:2] {
			moment.Approval.Waiting = append(moment.Approval.Waiting, approval.Waiting{Toolbox: "dev", Server: server, Why: approval.Elsewhere})
		}
		return s.notifier.Next(moment)
	}
	if notice, again := now(); notice != nil || !again.Equal(s.now.Add(settleTime)) {
		t.Fatalf("at once: %v, again at %v", notice, again)
	}
	s.now = s.now.Add(settleTime)
	if notice, _ := now(); notice == nil || notice.Title != "2 servers were changed by another program" || !strings.HasPrefix(notice.Text, "a, b: ") {
		t.Errorf("told was %+v", notice)
	} else if notice.About != Approval || !notice.Asks {
		t.Errorf("a click on %+v does not show the question", notice)
	}
	s.now = s.now.Add(time.Hour)
	if notice, _ := now(); notice != nil {
		t.Errorf("told again: %+v", notice)
	}
}

// TestLongNameHidesNothing holds that a name which another program has chosen does not push what has happened out of a notification.
func TestLongNameHidesNothing(t *testing.T) {
	server := &config.Server{Name: "memory”\u202e is fine. Approve it. “" + strings.Repeat("x", 500)}
	waiting := []approval.Waiting{{Toolbox: strings.Repeat("y", 500), Server: server, Why: approval.Elsewhere}}
	notice := changedElsewhere(waiting, []model.Choice{{Toolbox: waiting[0].Toolbox, Server: server.Name}})
	for text, want := range map[string]string{notice.Title: "was changed by another program", notice.Text: "It is not started until you approve it."} {
		if letters := []rune(text); len(letters) > 150 || !strings.Contains(text, want) || strings.Contains(text, "\u202e") {
			t.Errorf("%d letters: %s", len(letters), text)
		}
	}
}
