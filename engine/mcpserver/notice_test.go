package mcpserver

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// A person is sent only to pages on the web.
func TestWebPages(t *testing.T) {
	for address, want := range map[string]bool{
		"https://a.example/x": true, "http://a.example": true, "HTTPS://a.example": true,
		"javascript://a.example/%0aalert(1)": false, "file://host/x": false, "ftp://a.example": false,
		"data:text/html,x": false,
		"https:":           false, "https:///x": false, "a.example": false, "": false, "https://%": false,
	} {
		if got := isWebPage(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

// A batch that has only notifications gets no answer.
func TestBatchWithoutRequests(t *testing.T) {
	c := connect(t, &config.Config{}, Options{})
	c.send(`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","method":"notifications/y"}]`)
	c.ask("ping", "{}")
	c.in.Close()
	rest, err := io.ReadAll(c.lines)
	if err != nil || len(rest) > 0 {
		t.Errorf("the batch was answered with %q, %v", rest, err)
	}
}

// An answer may be exactly as long as the client shows, and no longer.
func TestAnswerOfExactlyTheLimit(t *testing.T) {
	for size, want := range map[int]bool{9: true, 10: true, 11: false} {
		r := &reduction{limit: client.Limit{Size: 10, Unit: client.Bytes}}
		if got := r.fits(make([]byte, size)); got != want {
			t.Errorf("%d of 10 bytes fit: %v", size, got)
		}
	}
	for text, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "ab cde": "ab…", "äöüßx": "äöü…"} {
		if got := shorten(text, 4); got != want {
			t.Errorf("%q is shortened to %q", text, got)
		}
	}
}

// The first line of the instructions is cut only for a client that shows no more, and only if it is too long.
func TestFirstLineOfExactlyTheLimit(t *testing.T) {
	cfg := &config.Config{Toolboxes: []*config.Toolbox{{Name: "a", Description: "x"}}}
	first := func() []rune {
		line, _, _ := strings.Cut(instructionsFor(cfg, &client.Client{Session: client.Session{FirstLine: true}}), "\n")
		return []rune(line)
	}
	cfg.Toolboxes[0].Description += strings.Repeat("x", maxFirstLine-len(first()))
	if line := first(); len(line) != maxFirstLine || slices.Contains(line, '…') {
		t.Errorf("a line of %d characters became one of %d: %s", maxFirstLine, len(line), string(line))
	}
	cfg.Toolboxes[0].Description += "x"
	if line := first(); len(line) != maxFirstLine || line[maxFirstLine-1] != '…' {
		t.Errorf("a line of %d characters became one of %d: %s", maxFirstLine+1, len(line), string(line))
	}
}

// The levels of log messages have the order of the protocol. A message with an unknown level is sent to
// everybody.
func TestLevelsHaveAnOrder(t *testing.T) {
	for i, level := range knownLevels {
		if got := rank(level); got != i {
			t.Errorf("%s is number %d, want %d", level, got, i)
		}
	}
	if rank("unheard of") <= rank("emergency") {
		t.Error("an unknown level counts less than another")
	}
}

// A client that only wants to hear about one resource does want notifications.
func TestFilterIsEmpty(t *testing.T) {
	for _, f := range []filter{{Tools: true}, {Prompts: true}, {Resources: true}, {URIs: []string{"a:1"}}} {
		if f.isEmpty() {
			t.Errorf("%+v counts as empty", f)
		}
	}
	if !(filter{}).isEmpty() {
		t.Error("an empty filter does not count as empty")
	}
}

// A resource is followed until its last follower has left.
func TestLastFollower(t *testing.T) {
	const uri = ownToolboxes + "/dev"
	s := New(echoToolbox(rich(t)), Options{})
	for want := 1; want <= 2; want++ {
		if err := s.streams.follow(t.Context(), uri); err != nil || s.streams.followed[uri] != want {
			t.Fatalf("the resource has %d followers, want %d: %v", s.streams.followed[uri], want, err)
		}
	}
	for want := 1; want >= 0; want-- {
		if err := s.streams.unfollow(t.Context(), uri); err != nil || s.streams.followed[uri] != want {
			t.Fatalf("the resource has %d followers, want %d: %v", s.streams.followed[uri], want, err)
		}
	}
}

// A request that has been answered is forgotten. A newer request with the same id is not.
func TestAnsweredRequestsAreForgotten(t *testing.T) {
	s := New(&config.Config{}, Options{})
	first, second := &request{id: []byte("1")}, &request{id: []byte("1")}
	s.requests.track(first)
	s.requests.track(second)
	s.requests.untrack(first)
	if s.requests.inflight["1"] != second {
		t.Error("the second request can no longer be cancelled")
	}
	s.requests.untrack(second)
	if len(s.requests.inflight) != 0 {
		t.Error("a request that was answered is still there")
	}
}

// An app is known by --client, and also by the name in its greeting if that is another app.
func TestAppIDs(t *testing.T) {
	for _, test := range []struct {
		id, greeting string
		want         []string
	}{
		{"", "codex-mcp-client", []string{"codex"}},
		{"codex", "codex-mcp-client", []string{"codex"}},
		{"cursor", "codex-mcp-client", []string{"cursor", "codex"}},
		{"cursor", "nobody knows this one", []string{"cursor"}},
		{"", "nobody knows this one", nil},
	} {
		if got := appIDs(test.id, test.greeting); !slices.Equal(got, test.want) {
			t.Errorf("--client %q with the name %q gives %q, want %q", test.id, test.greeting, got, test.want)
		}
	}
}

// The number of remembered updates of resources is limited. For a resource that is already remembered, the
// last update counts.
func TestMostUpdates(t *testing.T) {
	s := New(&config.Config{}, Options{})
	for i := range maxUpdates {
		if !s.announcer.updated(strings.Repeat("a", i+1), []byte("{}")) {
			t.Fatalf("the update of number %d is dropped", i+1)
		}
	}
	if s.announcer.updated("one more", []byte("{}")) {
		t.Error("one too many is remembered")
	}
	if !s.announcer.updated("a", []byte(`{"n":2}`)) || string(s.announcer.updates["a"]) != `{"n":2}` {
		t.Errorf("the last update of a known one is %s", s.announcer.updates["a"])
	}
}
