package toolboxes

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestDescriptionOfNames checks that only what somebody has written is shown as a description: the names of the
// servers, which an import writes for AI apps, stand below as cards.
func TestDescriptionOfNames(t *testing.T) {
	servers := []*config.Server{{Name: "a"}, {Name: "off", Disabled: true}, {Name: "b"}}
	for _, text := range []string{"Servers: a, b", "Servers: a", ""} {
		want := text
		if text == "Servers: a, b" {
			want = ""
		}
		if got := description(&config.Toolbox{Description: text, Servers: servers}); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

// TestOneNumberOfProblems checks that the toolboxes and the window count the same: a server once, however much is
// wrong with it, and one that runs although its entry has a problem, too.
func TestOneNumberOfProblems(t *testing.T) {
	source := from(`{"toolboxes": {"dev": {"mcpServers": {
		"twice": {"command": "x", "comand": "y", "argz": []}, "runs": {"command": "x", "commnd": "y"}}},
		"other": {"mcpServers": {"lost": {"command": "x"}}}}}`)
	source.Live = &model.Live{Config: source.Good.Config, Engines: []model.Engine{{Servers: []status.Server{
		{Toolbox: "dev", Name: "runs", State: status.Connected},
		{Toolbox: "other", Name: "lost", State: status.Failed,
			Problem: &status.Problem{Message: words.Foreign("It has ended.")}}}}}}
	view := viewOf(source)
	if a, b := view.Toolboxes[0].Note, view.Toolboxes[1].Note; a != "2 need something" || b != "1 needs something" ||
		view.Count() != 3 || len(view.Problems) != 3 {
		t.Errorf("the toolboxes say %q and %q, the window %d: %+v", a, b, view.Count(), view.Problems)
	}
}

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

const sample = `{"toolboxes": {
  "dev": {"description": "Development tools", "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server-files", "${HOME}/My Documents", ""]},
    "old": {"command": "uvx", "args": ["mcp-git"], "disabled": true}}},
  "research": {"mcpServers": {
    "search": {"url": "https://me:hush@example.com/mcp"}}},
  "home": {"mcpServers": {}}
}}`

const path = "/home/someone/workbench-config.json"

func parse(text string) *config.Document { return config.Parse(path, []byte(text)) }

// viewOf returns the View of a snapshot, and viewWith also with what this computer has.
func viewOf(now *model.Snapshot) View { return NewView(path, now, model.FindingsOf(now)) }

func viewWith(now *model.Snapshot, known model.Runtimes) View {
	return viewOf(now).With(model.FindingsOf(now).With(known, nil))
}

// look returns the View of a file that has never changed.
func look(text string) View {
	return viewOf(from(text))
}

func TestLook(t *testing.T) {
	got := look(sample)
	const idle = "Starts when an AI app uses it."
	want := View{Path: path, Toolboxes: []Toolbox{
		{Name: "dev", Description: "Development tools", Cost: Cost{Closed: 13, Servers: 1},
			Servers: []Server{
				{Name: "files", line: `npx -y server-files "${HOME}/My Documents" ""`, State: theme.StateIdle, Word: "Not started",
					Note: "Not started", Detail: idle, Status: status.NotStarted},
				{Name: "old", line: "uvx mcp-git", State: theme.StateDisabled, Word: "Switched off", Note: "Switched off",
					Detail: "", Status: status.Disabled},
			}},
		{Name: "research", Cost: Cost{Closed: 16, Servers: 1}, Servers: []Server{
			{Name: "search", State: theme.StateIdle, Word: "Not started", Note: "Not started",
				Detail: idle, Status: status.NotStarted},
		}},
		{Name: "home", Note: "Empty", Cost: Cost{Closed: 15}},
	}}
	if address := got.Toolboxes[1].Servers[0].Line(); strings.Contains(address, "hush") ||
		!strings.Contains(address, "example.com/mcp") {
		t.Errorf("the address is shown as %q; want all of it except its password", address)
	}
	got.Toolboxes[1].Servers[0].line = ""
	found := got.Findings
	got.Findings = nil
	for _, toolbox := range got.Toolboxes {
		for i := range toolbox.Servers {
			server := &toolbox.Servers[i]
			if server.entry == nil || server.entry.Name != server.Name {
				t.Errorf("%s has the entry %v", server.Name, server.entry)
			}
			server.Finding, server.entry = nil, nil
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Server{})); diff != "" {
		t.Errorf("view (-want +got):\n%s", diff)
	}
	if found.Worst() != model.Remark || got.Servers() != 3 {
		t.Errorf("worst %v, %d servers", found.Worst(), got.Servers())
	}
}

// TestLookAtWhatCannotBeSeen checks that a toolbox is not shown as closed if an engine whose state is unknown may have
// it open.
func TestLookAtWhatCannotBeSeen(t *testing.T) {
	source := lively(true)
	source.Live = &model.Live{Config: source.Good.Config,
		Engines: []model.Engine{{Client: "Zed", Trouble: model.OtherVersion}}}
	for _, toolbox := range viewOf(source).Toolboxes {
		if toolbox.Note != "Unknown" || toolbox.Servers[0].Unseen == model.NoTrouble {
			t.Errorf("%s: %q, %+v", toolbox.Name, toolbox.Note, toolbox.Servers[0])
		}
	}
}

// TestLookAtWhatRuns checks that the tree shows the states of the engines, and that a server with a problem is listed
// as a problem.
func TestLookAtWhatRuns(t *testing.T) {
	view := viewOf(lively(true))
	var notes []string
	for _, toolbox := range view.Toolboxes {
		notes = append(notes, toolbox.Note)
	}
	if got := strings.Join(notes, ", "); got != ", 1 needs something, " {
		t.Errorf("the toolboxes are %q", got)
	}
	if got := view.Toolboxes[0].Servers[0].Note; got != "14 tools" {
		t.Errorf("filesystem is %q", got)
	}
	if len(view.Problems) != 1 {
		t.Fatalf("problems: %+v", view.Problems)
	}
	problem := view.Problems[0]
	if problem.Where != "research › search" || !strings.HasPrefix(problem.Message, "npx was not found") ||
		problem.Kind != model.OfServer || problem.Fix != "Change the command" {
		t.Errorf("the problem is shown as %+v", problem)
	}

	// A server that the file switches off is shown so before the engine knows it. A server that will be tried again
	// counts down.
	source := lively(true)
	source.Good = parse(strings.Replace(livelyText, `"server-memory"]`, `"server-memory"], "disabled": true`, 1))
	source.File.Now, source.Live.Config = source.Good, source.Good.Config
	failed := &source.Live.Engines[0].Servers[3]
	failed.State, failed.RetryAt = status.Stopped, testTime.Add(4*time.Second)
	view = viewOf(source)
	if got := view.Toolboxes[0].Servers[1]; got.State != theme.StateDisabled {
		t.Errorf("memory is %q", got.Word)
	}
	if !strings.Contains(view.Toolboxes[1].Servers[0].Detail, "4 s") {
		t.Errorf("it counts down with %q", view.Toolboxes[1].Servers[0].Detail)
	}
}

// TestLookAtABrokenFile checks that a broken file leaves the last working toolboxes, with the position and the text of
// the error.
func TestLookAtABrokenFile(t *testing.T) {
	source := from(sample)
	source.File.Now = parse(strings.Replace(sample, `"disabled": true`, `"disabled" true`, 1))
	broken := viewOf(source)
	if !broken.Broken || len(broken.Toolboxes) != 3 || broken.Worst() != model.Wrong {
		t.Fatalf("broken %v, %d toolboxes, %v", broken.Broken, len(broken.Toolboxes), broken.Worst())
	}
	first := broken.Problems[0]
	if !strings.HasPrefix(first.Place, "workbench-config.json:4:") || first.Message == "" || first.Hint == "" ||
		first.State != theme.StateWrong {
		t.Errorf("the problem is shown as %+v", first)
	}
	if never := look("{"); !never.Broken || len(never.Toolboxes) != 0 || len(never.Problems) == 0 {
		t.Errorf("a file that was never valid is shown as %+v", never)
	}
}

func TestLookAtAFileThatCannotBeRead(t *testing.T) {
	source := from(sample)
	source.File.Now, source.File.Problem = nil, errors.New("there is no configuration file")
	view := viewOf(source)
	want := []Problem{{Where: path, Place: path, Message: "There is no configuration file.", State: theme.StateWrong}}
	if view.Findings.Problems[0].Kind != model.FileUnread {
		t.Errorf("the problem is %+v", view.Findings.Problems[0])
	}
	view.Problems[0].Problem = nil
	if diff := cmp.Diff(want, view.Problems); diff != "" || !view.Broken || len(view.Toolboxes) != 3 {
		t.Errorf("broken %v, %d toolboxes, problems (-want +got):\n%s", view.Broken, len(view.Toolboxes), diff)
	}
}

// TestLookAtAWarning checks that a warning is a problem, although the file can be used.
func TestLookAtAWarning(t *testing.T) {
	view := look(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x", "cwdd": "x"}}}}}`)
	if view.Broken || len(view.Problems) != 1 || view.Worst() != model.Doubt {
		t.Errorf("broken %v, worst %v, problems %+v", view.Broken, view.Worst(), view.Problems)
	}
	if got := ProblemCount(view.Findings); got != "1 problem" {
		t.Errorf("the count is %q", got)
	}
	if got := view.Toolboxes[0].Servers[0]; got.State != theme.StateNotice || got.Word != "Not started" ||
		got.Detail != `Unknown key “cwdd”.` {
		t.Errorf("the server is shown as %+v", got)
	}
	if got := view.Problems[0]; got.Where != "dev › a › cwdd" || got.At != (model.Choice{Toolbox: "dev", Server: "a"}) ||
		got.Kind == model.OfServer {
		t.Errorf("the problem is at %q, %+v", got.Where, got.At)
	}
}

// TestLookAtAWarningOfAFailedServer checks that a warning of the file does not hide that its server has failed. It is
// said once the server runs.
func TestLookAtAWarningOfAFailedServer(t *testing.T) {
	source := lively(true)
	source.Good = parse(strings.Replace(livelyText, `"search": {`, `"search": {"cwdd": "x", `, 1))
	source.File.Now = source.Good
	source.Live.Config = source.Good.Config
	view := viewOf(source)
	var found []string
	for _, problem := range view.Problems {
		found = append(found, problem.Where)
	}
	if got := strings.Join(found, ", "); got != "research › search" {
		t.Errorf("the problems are %q", got)
	}
}

// TestLookAtAPausedToolbox checks that a toolbox is paused, too, if its first server is switched off.
func TestLookAtAPausedToolbox(t *testing.T) {
	source := from(`{"toolboxes": {"dev": {"mcpServers": {"off": {"command": "x", "disabled": true}, "on": {"command": "x"}}}}}`)
	source.Live = &model.Live{Config: source.Good.Config, Paused: true}
	if got := viewOf(source).Toolboxes[0].Note; got != "Paused" {
		t.Errorf("the toolbox is %q", got)
	}
}

// FuzzLook checks that every text gives a View with valid rows, and that an unusable file has a problem.
func FuzzLook(f *testing.F) {
	f.Add(sample, "dev")
	f.Add("{", "")
	f.Add(`{"toolboxes": {"\u202e": {"mcpServers": {"\u0000": {"command": "\n"}}}}}`, "\u202e")
	f.Fuzz(func(t *testing.T, text, search string) {
		view := look(text)
		for _, row := range view.Rows(search, nil) {
			view.at(row)
		}
		if view.Broken && len(view.Problems) == 0 {
			t.Error("the file cannot be used, and no problem says why")
		}
	})
}

// TestCardSaysLastUse checks that a card shows when its server was last used: after the text of a problem, and before
// other texts.
func TestCardSaysLastUse(t *testing.T) {
	for _, c := range []struct {
		server Server
		want   string
	}{
		{Server{line: "npx a"}, "npx a"},
		{Server{line: "npx a", Used: "Last used today"}, "Last used today · npx a"},
		{Server{Detail: "Runs.", State: theme.StateConnected, Used: "Last used today"}, "Last used today · Runs."},
		{Server{Detail: "It has ended.", State: theme.StateWrong, Used: "Last used today"},
			"It has ended · Last used today"},
		{Server{Detail: "It has ended.", State: theme.StateWrong}, "It has ended."},
	} {
		if got := c.server.said(); got != c.want {
			t.Errorf("%+v says %q, want %q", c.server, got, c.want)
		}
	}
}

// A card shows a command as it is written, so a path of Windows has one backslash where it has one.
func TestCommandLine(t *testing.T) {
	got := commandLine(`C:\Program Files\x.exe`, []string{`D:\a`, "", `say "a"`})
	if want := `"C:\Program Files\x.exe" D:\a "" "say \"a\""`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
