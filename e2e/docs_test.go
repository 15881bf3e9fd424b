package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// inDocs returns the environment of commands that pages show, in an empty home.
func inDocs(home string) []string {
	return append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
		"WORKBENCH_CONFIG=", "LANG=C", "LC_ALL=C",
		"PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// notRun says why commands that the pages show are not run by TestShownCommands, by their beginning.
func notRun() map[string]string {
	return map[string]string{
		"git clone":                   "the repository is here",
		"cd workbench-desktop":        "the repository is here",
		"CGO_ENABLED=0 go build":      "the step headless of .ci/test runs it, and TestMain builds the program",
		"bash .ci/start":              "TestTour runs the tour; the rest installs system packages",
		"bash .ci/test":               "it runs this test",
		"bash .ci/lint":               "a step of .ci/test",
		"bash .ci/vulnerabilities":    "it asks a database in the network",
		"go -C packaging/tools run":   "TestSite runs it",
		"go test":                     "a step of .ci/test",
		"CGO_ENABLED=0 go test":       "a step of .ci/test",
		"sudo apt install":            "packaging/linux/check-root installs the package",
		"packaging/":                  "packaging_test.go and the checks of packaging/windows run it",
		"./workbench-desktop connect": "there is no app here; apps.txtar connects some",
		"workbench-desktop connect":   "there is no app here; apps.txtar connects some",
		"workbench-desktop secret":    "TestSecrets runs them with a keychain in memory",
		"workbench-desktop serve":     "it does not end; serve_test.go runs it and its tokens",
	}
}

// TestShownCommands runs the commands that the pages show in blocks for a shell, one after the other in an empty home,
// and checks that the others have a reason not to be run.
func TestShownCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages show them for a shell")
	}
	home := built.Folder(t)
	if err := os.WriteFile(filepath.Join(home, "letter.txt"), []byte("a toolbox for the garden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"workbench-desktop", "bin/workbench-desktop"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(home, "bin"), 0o700),
			os.Symlink(executable, filepath.Join(home, name))); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range append([]string{"../README.md", "../CONTRIBUTING.md"}, pages...) {
		for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readPage(t, page), -1) {
			for line := range strings.Lines(block[1]) {
				line = strings.TrimSpace(line)
				line, _, _ = strings.Cut(line, "  #")
				reason := ""
				for beginning, why := range notRun() {
					if strings.HasPrefix(line, beginning) {
						reason = why
					}
				}
				if reason != "" || line == "" {
					continue
				}
				limited, cancel := context.WithTimeout(t.Context(), patience)
				cmd := exec.CommandContext(limited, "sh", "-c", line)
				cmd.Dir = home
				cmd.Env = inDocs(home)
				cmd.WaitDelay = time.Second // what it has started may still hold the pipe
				out, err := cmd.CombinedOutput()
				cancel()
				if err != nil {
					t.Errorf("%s: %q: %v\n%s", page, line, err, out)
				} else if strings.Contains(line, "search_text") && !strings.Contains(string(out), "a toolbox for the garden") {
					t.Errorf("%s: %q does not find the text:\n%s", page, line, out)
				}
				ran++
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands were run", ran)
	}
}

// TestFigureOfTheReadme: what the README says about tokens is what the program needs, give or take a tenth.
func TestFigureOfTheReadme(t *testing.T) {
	match := regexp.MustCompile(`The (\d+) tools of the servers that come with Workbench take about ([\d,]+) tokens of every conversation\. In a closed\s+toolbox they take about (\d+)\.`).FindStringSubmatch(readPage(t, "../README.md"))
	if match == nil {
		t.Fatal("README.md has no figure")
	}
	home := built.Folder(t)
	program := func(in string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), executable, args...)
		cmd.Env = inDocs(home)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	// What an app without a toolbox, and with a closed one, gets at its start.
	start := func() int {
		return len(program(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`, "stdio", "--link=off"))
	}
	program("", "config", "add-toolbox", "other", "--description", "Contracts and letters")
	before := start()
	program("", "config", "add-toolbox", "office", "--description", "Contracts and letters")
	program("", "catalogue", "add", "files", "--into", "office", "--value", "folders="+home)
	for _, id := range []string{"notes", "web", "time"} {
		program("", "catalogue", "add", id, "--into", "office")
	}
	closed := usage.Tokens(start() - before)
	open := program("", "tools", "office", "--json")
	tools := strings.Count(open, `"source_server"`)
	for i, got := range []int{tools, usage.Tokens(len(open)), closed} {
		said, _ := strconv.Atoi(strings.ReplaceAll(match[i+1], ",", ""))
		if difference := max(got-said, said-got); difference*10 > got || i == 0 && difference > 0 {
			t.Errorf("README.md says %d, and it is %d", said, got)
		}
	}
}

// TestSmallestConfiguration: the configuration of the README is whole, and the drawing above it names the tools that
// the model gets. Its server answers by use_tool.
func TestSmallestConfiguration(t *testing.T) {
	needNPM(t)
	readme := readPage(t, "../README.md")
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no configuration")
	}
	w := newWorkshop(t)
	server := w.save(nil)
	bin := filepath.Join(w.home, "bin")
	if err := errors.Join(os.MkdirAll(bin, 0o700), os.Symlink(executable, filepath.Join(bin, "workbench-engine")),
		os.WriteFile(w.config, []byte(block[1]), 0o600)); err != nil {
		t.Fatal(err)
	}
	server.env["PATH"] = bin + string(os.PathListSeparator) + os.Getenv("PATH")
	c := libraries()[0].connect(t, server)
	var meta []string
	for _, name := range names(c.listTools()) {
		meta = append(meta, name)
		if !strings.Contains(readme, " "+name+" ") && name != "find_tools" {
			t.Errorf("the drawing of the README has no %s", name)
		}
	}
	if len(meta) < 3 {
		t.Errorf("before it is opened there are %q", meta)
	}
	if opened := c.open("office"); opened.ServersConnected != 1 {
		t.Errorf("opened: %+v", opened)
	}
	if answer := c.use("office", "notes", "list_notes", object{}); !strings.Contains(firstText(t, answer), "notes") {
		t.Errorf("it answers %v", answer)
	}
}
