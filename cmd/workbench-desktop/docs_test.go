package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// updateDocs writes docs/commands.md anew: go test -tags headless ./cmd/workbench-desktop -run TestCommandsPage
// -update-docs
var updateDocs = flag.Bool("update-docs", false, "write docs/commands.md")

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeIsShort: the README is read in two minutes.
func TestReadmeIsShort(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(readDoc(t, "README.md"), "\n"), "\n")
	if len(lines) > 120 {
		t.Errorf("README.md has %d lines, more than 120; reference belongs into docs/", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 120 {
			t.Errorf("README.md:%d has %d characters, more than 120", i+1, n)
		}
	}
}

// TestReadmeNamesTheApps: the README names all apps, those that were run with the real program and the others.
func TestReadmeNamesTheApps(t *testing.T) {
	section := strings.Join(strings.Fields(readDoc(t, "README.md")), " ")
	listed := func(from, to string) (names []string) {
		_, after, ok := strings.Cut(section, from)
		list, _, closed := strings.Cut(after, to)
		if !ok || !closed {
			t.Fatalf("README.md has no list between %q and %q", from, to)
		}
		for name := range strings.SplitSeq(list, ", ") {
			name, _, _ = strings.Cut(name, " (")
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	var run, others []string
	for _, c := range client.All() {
		name, _, _ := strings.Cut(c.Name, " (")
		switch {
		case c.Seen != "":
			run = append(run, name)
		case !strings.HasPrefix(name, "VS Code "): // its editions
			others = append(others, name)
		}
	}
	slices.Sort(run)
	slices.Sort(others)
	if got := listed("Run with a pretend model: ", " ([results]"); !slices.Equal(got, run) {
		t.Errorf("run are %q, and the README has %q", run, got)
	}
	if got := listed("Connected by their files but not run: ", ". `connect`"); !slices.Equal(got, others) {
		t.Errorf("not run are %q, and the README has %q", others, got)
	}
	number := map[int]string{6: "six", 7: "seven", 8: "eight"}[len(run)-3]
	if want := "Claude Code, Codex, Gemini CLI, [" + number + " others]"; !strings.Contains(section, want) {
		t.Errorf("the table of states does not say %q", want)
	}
	if want := fmt.Sprintf("%d apps are connected", len(run)+len(others)); !strings.Contains(readDoc(t, "CHANGELOG.md"), want) {
		t.Errorf("CHANGELOG.md does not say %q", want)
	}
}

// userDocs are the pages for people who use the program.
func userDocs() []string {
	return []string{"README.md", "CONTRIBUTING.md", "docs/README.md", "docs/install.md", "docs/configuration.md",
		"docs/commands.md", "docs/performance.md", "docs/building.md", "docs/adr/README.md"}
}

// TestDocsLeadSomewhere: each link of these pages leads to a file, and to a heading if it names one.
func TestDocsLeadSomewhere(t *testing.T) {
	for _, page := range userDocs() {
		for _, match := range regexp.MustCompile(`(?:\]\(|src(?:set)?=")([^)" ]+)`).FindAllStringSubmatch(readDoc(t, page),
			-1) {
			to, heading, _ := strings.Cut(match[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			target := page
			if to != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), to))
			}
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s: %s leads nowhere", page, match[1])
			} else if heading != "" && !slices.Contains(headings(readDoc(t, target)), heading) {
				t.Errorf("%s: %s has no heading %s", page, target, heading)
			}
		}
	}
}

// headings returns the headings of a page by the names that GitHub gives them.
func headings(text string) []string {
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(match[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestEveryDecisionIsListed: docs/adr/README.md lists the decisions, with their titles.
func TestEveryDecisionIsListed(t *testing.T) {
	index := readDoc(t, "docs/adr/README.md")
	files, err := filepath.Glob("../../docs/adr/[0-9]*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		title, _, _ := strings.Cut(readDoc(t, "docs/adr/"+name), "\n")
		title = strings.TrimLeft(title, "# 0123456789.:")
		row := fmt.Sprintf("| [%s](%s) | %s |", name[:3], name, strings.TrimSpace(title))
		if !strings.Contains(index, row) {
			t.Errorf("docs/adr/README.md has no row %q", row)
		}
	}
}

// TestEveryKeyIsDocumented: docs/configuration.md has all fields of the file.
func TestEveryKeyIsDocumented(t *testing.T) {
	text := readDoc(t, "docs/configuration.md")
	for _, field := range slices.Concat(config.TopFields(), config.ToolboxFields(), config.ServerFields()) {
		for _, name := range append(config.Names(field.Members), field.Name) {
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("docs/configuration.md does not document %s", name)
			}
		}
	}
}

// visit calls f with a command and all below it that the help shows.
func visit(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			visit(sub, f)
		}
	}
}

// TestCommandsPage: docs/commands.md is what the help says.
func TestCommandsPage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the help names other programs there")
	}
	var page bytes.Buffer
	page.WriteString("# Commands\n\nThis is the help of every command, which `workbench-desktop help COMMAND` prints " +
		"too. Without a command the desktop app opens;\n" +
		"`--hidden` starts it in the tray, without the window, and shows nothing if it runs already. All commands take " +
		"`--config FILE` and\n`--log-level debug|info|warn|error`.\n\n" +
		"Exit status 0: done; 1: what was asked for failed (an invalid configuration, a server that cannot be reached, a " +
		"tool that reports an\n" +
		"error); 2: the command line was not understood. The engine ends with 0 when its client closes the connection " +
		"and on SIGTERM or SIGINT,\ntogether with every server it started.\n")
	s := streams{words: words.English(), out: &page, err: &page}
	root := newRoot(s)
	s.translate(root)
	visit(root, func(cmd *cobra.Command) {
		if cmd == root {
			return // the build without a window has another one
		}
		fmt.Fprintf(&page, "\n## %s\n\n```\n", cmd.CommandPath())
		before := page.Len()
		s.showHelp(cmd)
		help := page.String()[before:]
		help, _, _ = strings.Cut(help, "\nGlobal Flags:")
		page.Truncate(before)
		page.WriteString(strings.TrimRight(help, "\n") + "\n```\n")
	})
	if *updateDocs {
		if err := os.WriteFile("../../docs/commands.md", page.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if readDoc(t, "docs/commands.md") != page.String() {
		t.Error("docs/commands.md is not what the help says: go test -tags headless ./cmd/workbench-desktop -run " +
			"TestCommandsPage -update-docs")
	}
}

// TestExamplesAreUnderstood: the program understands the command line of each example of the help. It does not run
// them, since they are about toolboxes, files and apps that are not here.
func TestExamplesAreUnderstood(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are split by a shell")
	}
	s := streams{words: words.English()}
	root := newRoot(s)
	s.translate(root)
	visit(root, func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			line, _, _ = strings.Cut(line, "  ") // a remark
			if line != "workbench-desktop" {     // alone, it opens the window
				understood(t, line)
			}
		}
	})
}

// understood checks a command line of the program.
func understood(t *testing.T, line string) {
	t.Helper()
	line = regexp.MustCompile(` [<>]\S+`).ReplaceAllString(line, "")
	split, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+line).Output()
	args := strings.Split(strings.TrimSuffix(string(split), "\n"), "\n")
	if err != nil || len(args) < 2 {
		t.Errorf("%q: %v", line, err)
		return
	}
	root := newRoot(streams{words: words.English()})
	cmd, rest, err := root.Find(args[1:])
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%q is not understood: %v", line, err)
	}
}

// TestShownCommandsAreUnderstood: the program understands the command lines that the pages show. e2e runs them.
func TestShownCommandsAreUnderstood(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command lines are split by a shell")
	}
	seen := 0
	for _, page := range userDocs() {
		for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readDoc(t, page), -1) {
			for line := range strings.Lines(block[1]) {
				if line = strings.TrimSpace(line); regexp.MustCompile(`^(\./)?workbench-desktop `).MatchString(line) {
					understood(t, line)
					seen++
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no command was found; the test looks in the wrong place")
	}
}

// TestWalks checks the drawings in docs/architecture.md that follow a letter to the file and a state to its card: each
// step is where the drawing says, and calls the next one.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]map[string]bool{} // by the step and its file, the names that its code calls
	for _, s := range sources(t) {
		for _, decl := range s.ast.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Recv == nil || function.Body == nil || s.isTest() {
				continue
			}
			names := map[string]bool{}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				if selector, ok := node.(*ast.SelectorExpr); ok {
					names[selector.Sel.Name] = true
				}
				return true
			})
			of := function.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			calls[exprName(of)+"."+function.Name.Name+" "+s.file] = names
		}
	}
	steps, before, called := 0, "", false
	step := lazyregexp.New(`^ (\w+\.\w+) +((?:app|engine)/\S+\.go)`)
	for line := range strings.Lines(string(text)) {
		found := step.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "```"):
			before = ""
		case strings.TrimSpace(line) == "▼":
			called = true
		case strings.HasPrefix(strings.TrimSpace(line), "┊"):
			called = false
		case found != nil:
			steps++
			now := found[1] + " " + found[2]
			if calls[now] == nil {
				t.Errorf("there is no %s in %s", found[1], found[2])
			}
			if _, name, _ := strings.Cut(found[1], "."); before != "" && called && !calls[before][name] {
				t.Errorf("%s does not call %s", before, now)
			}
			before, called = now, false
		}
	}
	if steps < 30 {
		t.Errorf("only %d steps were found; the test looks at the wrong thing", steps)
	}
}
