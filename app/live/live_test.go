package live

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// on returns a server "dev › a" in a state that began some minutes before noon.
func on(state status.State, minutes int) status.Server {
	return status.Server{Toolbox: "dev", Name: "a", State: state, Since: noon.Add(-time.Duration(minutes) * time.Minute)}
}

func TestWords(t *testing.T) {
	since := func(state status.State, minutes int, change func(*model.Server)) model.Server {
		server := model.Server{Server: on(state, minutes)}
		if change != nil {
			change(&server)
		}
		return server
	}
	for _, c := range []struct {
		server model.Server
		want   Shown
	}{
		{since(status.NotStarted, 0, nil),
			Shown{theme.StateIdle, "Not started", "Not started", "Starts when an AI app uses it.", model.NoHelp}},
		{
			since(status.NotStarted, 0, func(s *model.Server) { s.Open = true }),
			Shown{theme.StateIdle, "Not started", "Not started", "Starts when an AI app uses it.", model.NoHelp},
		},
		{
			since(status.NotStarted, 0, func(s *model.Server) { s.AlwaysOpen, s.Open = true, true }),
			Shown{theme.StateIdle, "Not started", "Not started", "Starts when an AI app uses it.", model.NoHelp},
		},
		{
			since(status.NotStarted, 1, func(s *model.Server) { s.Paused, s.Held = true, true }),
			Shown{theme.StateIdle, "Paused", "Paused", "", model.NoHelp},
		},
		{
			since(status.NotStarted, 1, func(s *model.Server) { s.Held = true }),
			Shown{theme.StateIdle, "Stopped", "Stopped", "Starts when an AI app uses it.",
				model.NoHelp},
		},
		{
			since(status.NotStarted, 0, func(s *model.Server) { s.Unseen, s.Client, s.Paused = model.Silent, "Zed", true }),
			Shown{theme.StateNotice, "Not responding", "Not responding",
				"Its Workbench does not answer. Quit Zed fully and start it again.", model.NoHelp},
		},
		{
			since(status.NotStarted, 0, func(s *model.Server) { s.Unseen, s.Client = model.OtherVersion, "Zed" }),
			Shown{theme.StateIdle, "Unknown", "Unknown", "It runs another version of Workbench. Quit Zed fully and start it again.",
				model.NoHelp},
		},
		{since(status.Disabled, 0, nil),
			Shown{theme.StateDisabled, "Switched off", "Switched off", "",
				model.NoHelp}},
		{
			since(status.Connected, 78, func(s *model.Server) {
				s.Tools, s.AllTools, s.Clients = 14, 14, []string{"Claude Desktop"}
			}),
			Shown{theme.StateConnected, "Connected", "14 tools", "Used by Claude Desktop.", model.NoHelp},
		},
		{
			since(status.Connected, 24*60, func(s *model.Server) {
				s.Tools, s.AllTools, s.Clients = 1, 3, []string{"A", "B", "C", "D"}
			}),
			Shown{theme.StateConnected, "Connected", "1 tool",
				"Used by A, B, C and 1 other. AI apps see 1 of its 3 tools.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) { s.Since = time.Time{}; s.Clients = []string{"A", "B"} }),
			Shown{theme.StateConnected, "Connected", "0 tools", "Used by A and B.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) { s.Clients, s.Together = []string{"A", "B"}, true }),
			Shown{theme.StateConnected, "Connected", "0 tools", "Runs once for A and B.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) {
				s.Clients = []string{"A", "B", "C"}
				s.Copies = model.Copies{Engines: 3, Clients: s.Clients, Use: process.Use{Processes: 9, Bytes: 412_300_000}}
			}),
			Shown{theme.StateConnected, "Connected", "0 tools", "Runs 3 times for A, B and C: 9 processes, 412 MB.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) { s.Clients, s.Together = []string{"A"}, true }),
			Shown{theme.StateConnected, "Connected", "0 tools", "Used by A.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) {
				s.Clients, s.Apart, s.Process.Alone = []string{"A", "B"}, []string{"A", "B"}, words.New("pool.ended")
			}),
			Shown{theme.StateConnected, "Connected", "0 tools",
				"Runs separately for A and B, since sharing was interrupted. Restart it to share it again.", model.NoHelp},
		},
		{
			since(status.Connected, 0, func(s *model.Server) {
				s.Clients, s.Apart, s.Process.Alone = []string{"A", "B"}, []string{"B"}, words.New("pool.over")
			}),
			Shown{theme.StateConnected, "Connected", "0 tools",
				"Runs separately for B, since it could not be shared. The log says why.", model.NoHelp},
		},
		{ // its definitions were corrected, or AI services refuse them: the server works
			since(status.Connected, 78, func(s *model.Server) { s.Tools, s.AllTools, s.Faulty = 14, 14, 1 }),
			Shown{theme.StateConnected, "Connected", "14 tools",
				"1 of its definitions is faulty. The log says why. Connected since 10:42.", model.NoHelp},
		},
		{ // some cannot be used at all
			since(status.Connected, 78, func(s *model.Server) { s.Tools, s.AllTools, s.Faulty, s.LeftOut = 14, 14, 5, 2 }),
			Shown{theme.StateNotice, "Connected", "14 tools",
				"2 of its definitions are faulty. The log says why. Connected since 10:42.", model.NoHelp},
		},
		{
			since(status.Starting, 1, func(s *model.Server) { s.Client = "Cursor" }),
			Shown{theme.StateWorking, "Starting…", "Starting…", "Starting since 11:59.", model.NoHelp},
		},
		{
			since(status.Starting, 1, func(s *model.Server) { s.Installing = true }),
			Shown{theme.StateWorking, "Installing…", "Installing…",
				"The first start downloads what it needs; this takes a minute or two.", model.NoHelp},
		},
		{
			since(status.Failed, 1, func(s *model.Server) {
				s.Problem = &status.Problem{Message: words.Foreign("npx was not found by apps"),
					Hint: words.Foreign("Choose the program, or install Node.js.")}
			}),
			Shown{theme.StateWrong, "Can't start", "Can't start",
				"npx was not found by apps. Choose the program, or install Node.js.", model.HelpSettings},
		},
		{
			since(status.Failed, 1, func(s *model.Server) {
				s.Problem = &status.Problem{Kind: status.KindNetwork, Message: words.Foreign("nobody answers at example.com")}
			}),
			Shown{theme.StateWrong, "Can't connect", "Can't connect", "Nobody answers at example.com.", model.HelpAgain},
		},
		{
			since(status.Stopped, 1, func(s *model.Server) {
				s.Problem = &status.Problem{Message: words.Foreign("Its process ended.")}
				s.RetryAt = noon.Add(11500 * time.Millisecond)
			}),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Its process ended. Trying again in 12 s.",
				model.HelpSettings},
		},
		{
			since(status.Stopped, 1, func(s *model.Server) { s.RetryAt = noon.Add(-time.Second) }),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Trying again in 1 s.", model.HelpLog},
		},
		{
			since(status.Stopped, 1, func(s *model.Server) { s.RetryAt = noon.Add(5 * time.Minute) }),
			Shown{theme.StateWrong, "Stopped working", "Stopped working", "Trying again in 5 min.", model.HelpLog},
		},
		{since(status.SignIn, 1, nil),
			Shown{theme.StateKey, "Needs sign-in", "Needs sign-in", "", model.HelpSignIn}},
	} {
		if diff := cmp.Diff(c.want, Words(c.server, noon)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.server.State, diff)
		}
	}
}

// TestFieldsHaveLabels checks that each field of a server's entry has a label, except the fields that only the file
// names.
func TestFieldsHaveLabels(t *testing.T) {
	labels := Fields()
	for _, name := range config.Names(config.ServerFields()) {
		if inFile := slices.Contains([]string{"transport", "type", "oauth"}, name); inFile == (labels[name] != "") {
			t.Errorf("the label of %s is %q", name, labels[name])
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

// TestOffer: what sharing means is said for a server that runs several times, and nothing for another one.
func TestOffer(t *testing.T) {
	server := model.Server{Server: on(status.Connected, 5)}
	if got := Offer(server); got != "" {
		t.Errorf("of a server that runs once it says %q", got)
	}
	for keeps, want := range map[config.State]string{
		config.StateNone:    "Sharing saves memory. The apps notice nothing of each other.",
		config.StateBrowser: "Sharing saves memory. The apps then use one browser together.",
		config.StateSession: "Sharing saves memory. What the server remembers or has open is then common to the apps.",
		config.StateUnknown: "Sharing saves memory. What the server remembers or has open is then common to the apps.",
	} {
		server.Copies = model.Copies{Engines: 2, Keeps: keeps}
		if got := Offer(server); got != want {
			t.Errorf("of a server that keeps %v it says %q", keeps, got)
		}
	}
}

// TestProblemText checks that the window shows problems as sentences, and without the advice that its buttons give.
func TestProblemText(t *testing.T) {
	stopped := func(how words.Text, wrote string) words.Text {
		return words.New("downstream.stopped", "How",
			words.New("downstream.how_stopped", "How", how, "Skipped", words.Text{}, "Wrote", wrote))
	}
	late := func(limit time.Duration, skipped words.Text, wrote string) words.Text {
		return words.New("downstream.no_answer", "Method", "initialize", "Limit", limit, "Skipped", skipped, "Wrote", wrote)
	}
	skipped := words.New("downstream.line_skipped", "Size", 9, "Limit", "4 MiB")
	for want, p := range map[string]status.Problem{
		"It ended by itself. It wrote: Bad day. Its log says what it wrote last.": {Kind: status.KindExited,
			Message: stopped(words.New("process.exited", "Status", 3), "Bad day"),
			Hint:    words.New("toolbox.see_log")},
		"The system or another program ended it.": {Kind: status.KindExited,
			Message: stopped(words.New("process.killed", "Signal", "SIGKILL"), "")},
		"It closed its stdout.": {Kind: status.KindExited,
			Message: stopped(words.New("downstream.closed_stdout"), "")},
		"It did not answer within 2 min. It wrote: fetching papers. Try again.": {Kind: status.KindTimeout,
			Message: late(2*time.Minute, words.Text{}, "fetching papers"),
			Hint:    words.Foreign("Try again.")},
		"It did not answer within 1 s.": {Kind: status.KindTimeout,
			Message: late(300*time.Millisecond, words.Text{}, "")},
		"It did not answer within 10 s. A line of 9 bytes on its stdout was skipped, since it is longer than 4 " +
			"MiB, the limit for one message.": {Kind: status.KindTimeout,
			Message: late(10*time.Second, skipped, "")},
		"It wants you to sign in with your account.": {
			Kind: status.KindSignIn, Message: words.New("downstream.wants_sign_in", "Address", "mcp.linear.app"),
			Hint: words.Foreign("Sign in.")},
		"example.com wants to know who you are: add a header with your token, such as Authorization.": {
			Kind: status.KindSignIn, Message: words.New("downstream.wants_token", "Address", "example.com")},
		"The server's answer to 'initialize' cannot be used: x. Check that.": {Kind: status.KindProtocol,
			Message: words.New("downstream.answer_unusable", "Method", "initialize", "Why", "x"),
			Hint:    words.Foreign("Check that.")},
		"npx was not found. Install it.": {Kind: status.KindProgram, Program: "npx",
			Message: words.New("process.not_found", "Command", "npx"), Hint: words.Foreign("Install it.")},
		"the-server was not found.": {Kind: status.KindProgram,
			Message: words.New("process.not_found", "Command", "the-server")},
	} {
		if got := ProblemText(&p); got != want {
			t.Errorf("%q is shown as %q", p.Message, got)
		}
	}
	said := words.New("downstream.server_says", "What",
		words.New("downstream.wants_sign_in", "Address", "mcp.linear.app"), "Said", "invalid_token")
	if got := ProblemText(&status.Problem{Kind: status.KindSignIn,
		Message: said}); got != "It wants you to sign in with your account." {
		t.Errorf("%q is shown as %q", said, got)
	}
}

// TestEndedInWords: what programs write when something is missing is said in words, with what to do. The words of the
// system are in the log.
func TestEndedInWords(t *testing.T) {
	for wrote, want := range map[string]string{
		"Error: ENOENT: no such file or directory, scandir '/home/ada/Contracts'":           "It did not find /home/ada/Contracts.",
		"FileNotFoundError: [Errno 2] No such file or directory: 'notes.db'":                "It did not find notes.db.",
		"open: no such file or directory":                                                   "It ended by itself. It wrote: open:",
		"spawn uvx ENOENT":                                                                  "It did not find uvx.",
		"EACCES: permission denied, open '/etc/x'":                                          "It is not allowed to use /etc/x.",
		"Error: getaddrinfo ENOTFOUND api.example.com":                                      "It cannot find api.example.com.",
		"Get \"https://x.example\": dial tcp: lookup x.example on 1.1.1.1:53: no such host": "It cannot find x.example.",
		"socket.gaierror: [Errno -2] Name or service not known":                             "Something that it needs does not answer.",
		"connect ECONNREFUSED 127.0.0.1:5432":                                               "Nothing answers at 127.0.0.1:5432.",
		"dial tcp 127.0.0.1:5432: connect: connection refused":                              "Nothing answers at 127.0.0.1:5432.",
		"Error: listen EADDRINUSE: address already in use :::3000":                          "Another program uses port 3000,",
		"Error: Cannot find module 'zod'":                                                   "A part of it is missing: zod.",
		"ENOSPC: no space left on device, write":                                            "The disk is full.",
		"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory": "It used up its memory.",
		"BRAVE_API_KEY environment variable is required":                                    "It ended by itself. It wrote: BRAVE_API_KEY",
	} {
		if got := endedWords(words.New("process.exited", "Status", 1), wrote); !strings.HasPrefix(got, want) {
			t.Errorf("%q is shown as %q", wrote, got)
		}
	}
}
