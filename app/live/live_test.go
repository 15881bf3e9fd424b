package live

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fyne.io/fyne/v2/lang"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// on is a server "dev › a" in a state that began some minutes before noon.
func on(state status.State, minutes int) status.Server {
	return status.Server{Toolbox: "dev", Name: "a", State: state, Since: noon.Add(-time.Duration(minutes) * time.Minute)}
}

// stopped is a server that the user has stopped.
func stopped(server status.Server) status.Server {
	server.Held = true
	return server
}

// in is an engine in trouble, behind others.
func in(trouble Trouble, server status.Server, before ...Engine) []Engine {
	return append(before, Engine{ID: "9", Client: "Goose", Trouble: trouble, Servers: []status.Server{server}})
}

func engines(servers ...status.Server) []Engine {
	names := []string{"Claude Desktop", "Cursor", "Zed"}
	var all []Engine
	for i, server := range servers {
		all = append(all, Engine{ID: fmt.Sprint(i), Client: names[i%3], Servers: []status.Server{server}})
	}
	return all
}

func TestServerOverEngines(t *testing.T) {
	for _, c := range []struct {
		name    string
		engines []Engine
		config  string // of the server, as JSON
		want    Server
	}{
		{name: "no engine", want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}}},
		{
			name:    "one that needs the user goes before one that is connected",
			engines: engines(on(status.Connected, 5), on(status.Failed, 3), on(status.Starting, 1)),
			want:    Server{Server: on(status.Failed, 3), Engine: "1", Client: "Cursor", Clients: []string{"Claude Desktop"}},
		},
		{
			name:    "one that the user has stopped goes before one that was never started, and neither before one that runs",
			engines: engines(on(status.NotStarted, 5), stopped(on(status.NotStarted, 3))),
			want:    Server{Server: stopped(on(status.NotStarted, 3)), Engine: "1", Client: "Cursor"},
		},
		{
			name:    "one that runs goes before one that the user has stopped",
			engines: engines(stopped(on(status.NotStarted, 3)), on(status.Connected, 5)),
			want:    Server{Server: on(status.Connected, 5), Engine: "1", Client: "Cursor", Clients: []string{"Cursor"}},
		},
		{
			name:    "the later of two failures",
			engines: engines(on(status.Failed, 5), on(status.SignIn, 1), on(status.Stopped, 3)),
			want:    Server{Server: on(status.SignIn, 1), Engine: "1", Client: "Cursor"},
		},
		{
			name:    "starting goes before connected, and connected before not started",
			engines: engines(on(status.NotStarted, 0), on(status.Connected, 5), on(status.Starting, 1)),
			want:    Server{Server: on(status.Starting, 1), Engine: "2", Client: "Zed", Clients: []string{"Cursor"}},
		},
		{
			name:    "all who are connected, each once, in order",
			engines: append(engines(on(status.Connected, 5), on(status.Connected, 1)), engines(on(status.Connected, 0))...),
			want:    Server{Server: on(status.Connected, 5), Engine: "0", Client: "Claude Desktop", Clients: []string{"Claude Desktop", "Cursor"}},
		},
		{
			name:    "switched off in the file, whatever engines say",
			engines: engines(on(status.Connected, 5)),
			config:  `{"command": "x", "disabled": true}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.Disabled}},
		},
		{
			name:    "switched on in the file, which the engine has yet to hear",
			engines: engines(on(status.Disabled, 5)),
			config:  `{"command": "x"}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "engines with another file do not count",
			engines: []Engine{{ID: "7", Elsewhere: true, Servers: []status.Server{on(status.Failed, 1)}}},
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "what an engine had that does not answer is not known",
			engines: in(Silent, on(status.Connected, 5)),
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: Silent, Client: "Goose"},
		},
		{
			name:    "not even if another engine could start it",
			engines: in(Silent, on(status.Failed, 5), engines(on(status.NotStarted, 0))...),
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: Silent, Client: "Goose"},
		},
		{
			name:    "what can be seen goes before what cannot",
			engines: in(Silent, on(status.Failed, 1), engines(on(status.Connected, 5))...),
			want:    Server{Server: on(status.Connected, 5), Engine: "0", Client: "Claude Desktop", Clients: []string{"Claude Desktop"}},
		},
		{
			name:    "so does that the user has stopped it",
			engines: in(OtherVersion, status.Server{}, engines(stopped(on(status.NotStarted, 5)))...),
			want:    Server{Server: stopped(on(status.NotStarted, 5)), Engine: "0", Client: "Claude Desktop"},
		},
		{
			name:    "what an engine has not started it has not started, though it does not answer now",
			engines: in(Silent, on(status.NotStarted, 0)),
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "an engine of another version may have anything",
			engines: in(OtherVersion, status.Server{}),
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: OtherVersion, Client: "Goose"},
		},
		{
			name:    "but nothing that is switched off",
			engines: in(OtherVersion, status.Server{}),
			config:  `{"command": "x", "disabled": true}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.Disabled}},
		},
		{
			name:    "and nothing with another file",
			engines: []Engine{{Elsewhere: true, Trouble: OtherVersion}, {Elsewhere: true, Trouble: Silent, Servers: []status.Server{on(status.Connected, 1)}}},
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := &State{Engines: c.engines}
			if c.config != "" {
				state.Config = parse(t, `{"toolboxes": {"dev": {"mcpServers": {"a": `+c.config+`}}}}`)
			}
			if diff := cmp.Diff(c.want, state.Server("dev", "a")); diff != "" {
				t.Errorf("server (-want +got):\n%s", diff)
			}
		})
	}
}

func parse(t testing.TB, text string) *config.Config {
	t.Helper()
	document := config.Parse("workbench-config.json", []byte(text))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	return document.Config
}

func TestCount(t *testing.T) {
	state := &State{
		Config: parse(t, `{"toolboxes": {"dev": {"mcpServers": {
			"a": {"command": "x"}, "b": {"command": "x"}, "c": {"command": "x"}, "d": {"command": "x", "disabled": true}}}}}`),
		Engines: []Engine{{ID: "1", Servers: []status.Server{
			{Toolbox: "dev", Name: "a", State: status.Connected}, {Toolbox: "dev", Name: "b", State: status.Stopped},
			{Toolbox: "dev", Name: "gone", State: status.Failed},
		}}},
	}
	if diff := cmp.Diff(Counts{All: 3, Connected: 1, Wrong: 1}, state.Count()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestWords(t *testing.T) {
	since := func(state status.State, minutes int, change func(*Server)) Server {
		server := Server{Server: on(state, minutes)}
		if change != nil {
			change(&server)
		}
		return server
	}
	for _, c := range []struct {
		server Server
		want   Shown
	}{
		{since(status.NotStarted, 0, nil), Shown{theme.StateIdle, "Not started", "Not started", "Starts when an AI app opens this toolbox."}},
		{
			since(status.NotStarted, 1, func(s *Server) { s.Paused, s.Held = true, true }),
			Shown{theme.StateIdle, "Paused", "Paused", "AI apps can't use it until you resume."},
		},
		{
			since(status.NotStarted, 1, func(s *Server) { s.Held = true }),
			Shown{theme.StateIdle, "Stopped", "Stopped", "You stopped it. It starts when an AI app opens this toolbox again."},
		},
		{
			since(status.NotStarted, 0, func(s *Server) { s.Unseen, s.Client, s.Paused = Silent, "Zed", true }),
			Shown{theme.StateNotice, "Not answering", "Not answering", "Workbench in Zed does not answer. If that lasts, restart Zed."},
		},
		{
			since(status.NotStarted, 0, func(s *Server) { s.Unseen, s.Client = OtherVersion, "Zed" }),
			Shown{theme.StateIdle, "Not known", "Not known", "Restart Zed to see this: it runs another version of Workbench."},
		},
		{since(status.Disabled, 0, nil), Shown{theme.StateDisabled, "Switched off", "Switched off", "AI apps don't get this server until you switch it on."}},
		{
			since(status.Connected, 78, func(s *Server) { s.Tools, s.AllTools, s.Clients = 14, 14, []string{"Claude Desktop"} }),
			Shown{theme.StateConnected, "Connected", "14 tools", "Connected since 10:42 by Claude Desktop."},
		},
		{
			since(status.Connected, 24*60, func(s *Server) { s.Tools, s.AllTools, s.Clients = 1, 3, []string{"A", "B", "C", "D"} }),
			Shown{theme.StateConnected, "Connected", "1 tool", "Connected since 13 Mar 12:00 by A, B, C and 1 other. AI apps see 1 of its 3 tools."},
		},
		{
			since(status.Connected, 0, func(s *Server) { s.Since = time.Time{}; s.Clients = []string{"A", "B"} }),
			Shown{theme.StateConnected, "Connected", "no tools", "Connected by A and B."},
		},
		{
			since(status.Starting, 1, func(s *Server) { s.Client = "Cursor" }),
			Shown{theme.StateWorking, "Starting…", "Starting…", "Being started since 11:59 by Cursor."},
		},
		{
			since(status.Starting, 1, func(s *Server) { s.Installing = true }),
			Shown{theme.StateWorking, "Installing…", "Installing…", "The first start downloads what it needs; this takes a minute or two."},
		},
		{
			since(status.Failed, 1, func(s *Server) {
				s.Problem = &status.Problem{Message: words.Foreign("npx was not found by apps"), Hint: words.Foreign("Choose the program, or install Node.js.")}
			}),
			Shown{theme.StateWrong, "Can't start", "Can't start", "npx was not found by apps. Choose the program, or install Node.js."},
		},
		{
			since(status.Stopped, 1, func(s *Server) {
				s.Problem = &status.Problem{Message: words.Foreign("Its process ended.")}
				s.RetryAt = noon.Add(11500 * time.Millisecond)
			}),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Its process ended. Trying again in 12 s."},
		},
		{
			since(status.Stopped, 1, func(s *Server) { s.RetryAt = noon.Add(-time.Second) }),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Trying again in 1 s."},
		},
		{
			since(status.Stopped, 1, func(s *Server) { s.RetryAt = noon.Add(5 * time.Minute) }),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Trying again in 5 min."},
		},
		{since(status.SignIn, 1, nil), Shown{theme.StateKey, "Needs sign-in", "Needs sign-in", "It can be used once you have signed in."}},
	} {
		if diff := cmp.Diff(c.want, Words(c.server, noon)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.server.State, diff)
		}
	}
}

func TestClientName(t *testing.T) {
	for _, c := range []struct{ id, name, want string }{
		{"claude-desktop", "claude-ai", "Claude Desktop"},
		{"", "claude-ai", "Claude"},
		{"", "cursor-vscode", "Cursor"},
		{"my-app", "Visual Studio Code", "VS Code"},
		{"my-app", "My App", "My App"},
		{"my-app", "", "my-app"},
		{"", " ", "an AI app"},
	} {
		if got := ClientName(c.id, c.name); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.id, c.name, got, c.want)
		}
	}
}

// However often the screens ask, a thousand servers in several engines cost one pass.
func BenchmarkServers(b *testing.B) {
	var all []Engine
	for e := range 5 {
		engine := Engine{ID: fmt.Sprint(e), Client: "Claude Desktop"}
		for i := range 1000 {
			engine.Servers = append(engine.Servers, status.Server{Toolbox: "dev", Name: fmt.Sprint(i), State: status.Connected})
		}
		all = append(all, engine)
	}
	for b.Loop() {
		state := &State{Engines: all}
		for i := range 1000 {
			state.Server("dev", fmt.Sprint(i))
		}
	}
}

// What the engine writes for logs and AI apps is said in the window in sentences, and without what its buttons do.
func TestProblemText(t *testing.T) {
	stopped := func(how words.Text, wrote string) words.Text {
		return words.New("downstream.stopped", "How", words.New("downstream.how_stopped", "How", how, "Skipped", words.Text{}, "Wrote", wrote))
	}
	late := func(limit time.Duration, skipped words.Text, wrote string) words.Text {
		return words.New("downstream.no_answer", "Method", "initialize", "Limit", limit, "Skipped", skipped, "Wrote", wrote)
	}
	skipped := words.New("downstream.line_skipped", "Size", 9, "Limit", "4 MiB")
	for want, p := range map[string]status.Problem{
		"It exited with status 3: Cannot find module. Its log says what it wrote last.": {Kind: status.KindExited, Message: stopped(words.New("process.exited", "Status", 3), "Cannot find module"),
			Hint: words.New("toolbox.see_log")},
		"It was killed by signal SIGKILL.": {Kind: status.KindExited, Message: stopped(words.New("process.killed", "Signal", "SIGKILL"), "")},
		"It closed its stdout.":            {Kind: status.KindExited, Message: stopped(words.New("downstream.closed_stdout"), "")},
		"It did not answer within 2 minutes. It wrote: fetching papers. Try again.": {Kind: status.KindTimeout, Message: late(2*time.Minute, words.Text{}, "fetching papers"),
			Hint: words.Foreign("Try again.")},
		"It did not answer within 1 second.": {Kind: status.KindTimeout, Message: late(300*time.Millisecond, words.Text{}, "")},
		"It did not answer within 10 seconds. A line of 9 bytes on its stdout was skipped, since it is longer than 4 MiB, the limit for one message.": {Kind: status.KindTimeout,
			Message: late(10*time.Second, skipped, "")},
		"It wants you to sign in with your account.":                                                  {Kind: status.KindSignIn, Message: words.New("downstream.wants_sign_in", "Address", "mcp.linear.app"), Hint: words.Foreign("Sign in.")},
		"example.com wants to know who you are: add a header with your token, such as Authorization.": {Kind: status.KindSignIn, Message: words.New("downstream.wants_token", "Address", "example.com")},
		"The server's answer to 'initialize' cannot be used: x. Check that.": {Kind: status.KindProtocol, Message: words.New("downstream.answer_unusable", "Method", "initialize", "Why", "x"),
			Hint: words.Foreign("Check that.")},
		"npx was not found. Install it.": {Kind: status.KindProgram, Program: "npx", Message: words.New("process.not_found", "Command", "npx"), Hint: words.Foreign("Install it.")},
		"the-server was not found.":      {Kind: status.KindProgram, Message: words.New("process.not_found", "Command", "the-server")},
	} {
		if got := ProblemText(&p); got != want {
			t.Errorf("%q is said as %q", p.Message, got)
		}
	}
}
