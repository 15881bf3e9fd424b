package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// example is a file with a problem.
type example struct {
	text  []byte
	words string // shown instead of the text if that is too long or is not the same everywhere
}

// examples returns the examples that cannot be constants.
func examples(t *testing.T) map[string]example {
	file := filepath.Join(t.TempDir(), "notes.txt")
	write(t, file, "")
	quoted, err := json.Marshal(file)
	must(t, err)
	return map[string]example{
		"file-too-large":    {bytes.Repeat([]byte(" "), MaxSize+1), "a file of 17 MiB"},
		"too-many-problems": {[]byte("{" + strings.Repeat(`"x": 1, `, 2000) + "}"), "a file with two thousand errors"},
		"too-deep": {[]byte(`{"toolboxes": ` + strings.Repeat("[", 1000)),
			"a thousand brackets in each other"},
		"too-many-values": {[]byte("[" + strings.Repeat("1,", 1<<20+1) + "]"),
			"a list of more than a million numbers"},
		"program-not-executable": {inEntry(`"command": ` + string(quoted)), "\"command\" names a text file"},
		"comes-built-in":         {nil, "`npx` is on this computer, and an entry starts `@modelcontextprotocol/server-memory` with it"},
		"program-unusable":       {nil, "\"command\" names a program in a folder that one may not enter"},
		"not-a-folder":           {inEntry(`"command": "npx", "cwd": ` + string(quoted)), "\"cwd\" names a text file"},
		UnusableFile:             {nil, "a file that is not there"},
	}
}

func inEntry(members string) []byte {
	return []byte(`{"toolboxes": {"dev": {"mcpServers": {"server": {` + members + `}}}}}`)
}

// exampleOf returns the example of a rule.
func exampleOf(r Rule, made map[string]example) example {
	switch e, ok := made[r.Code]; {
	case ok:
		return e
	case r.Entry != "":
		return example{text: inEntry(r.Entry)}
	case r.Toolbox != "":
		return example{text: []byte(`{"toolboxes": {"dev": {` + r.Toolbox + `}}}`)}
	}
	return example{text: []byte(r.Example)}
}

// saidOf returns the diagnostic of a rule for an example, or nil.
func saidOf(r Rule, e example) *Diagnostic {
	document := Parse("config", e.text)
	all := append(document.Diagnostics, document.CheckEnvironment(Lookup{})...)
	all = append(all, document.CheckTools(func(string, string) ([]string, bool) {
		return []string{"read_file", "list_files"}, true
	})...)
	all = append(all, document.CheckVariables(func(s *Server) []string {
		if s.Command == "docker" {
			return []string{"SOME_TOKEN"}
		}
		return nil
	})...)
	for _, d := range all {
		if d.Code == r.Code {
			return &d
		}
	}
	return nil
}

// TestRules checks that each rule is explained, that it reports its example, and that docs/diagnostics.md is
// up to date.
func TestRules(t *testing.T) {
	made := examples(t)
	seen := map[string]bool{}
	var page strings.Builder
	fmt.Fprintf(&page, `# What can be wrong with a configuration

`+"`workbench-desktop validate`"+` and the window say it in words; `+"`validate --json`"+
		` has its code beside, which does not change. An error
keeps the file from being used, a warning does not. `+"`validate --fix`"+
		` makes the fixes named here, where nothing stands against them.

This page is written from the list of rules by a test of engine/config, which holds that each example gets what is said about it here.

`)
	for _, r := range Rules() {
		if seen[r.Code] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(r.Code) || r.About == "" {
			t.Errorf("%+v: the rule has no code of its own, or no explanation", r)
		}
		seen[r.Code] = true
		e := exampleOf(r, made)
		fmt.Fprintf(&page, "## %s\n\n%s: %s\n\n", r.Code, strings.ToUpper(r.Severity.String()[:1])+r.Severity.String()[1:],
			r.About)
		if e.words != "" {
			fmt.Fprintf(&page, "Example: %s.\n\n", e.words)
		} else {
			fmt.Fprintf(&page, "```jsonc\n%s\n```\n\n", shownExample(e.text))
		}
		if e.text == nil {
			continue
		}
		d := saidOf(r, e)
		if d == nil || d.Severity != r.Severity {
			t.Errorf("%s: the diagnostics %v are reported for %s", r.Code, Parse("config", e.text).Diagnostics,
				shownExample(e.text[:min(len(e.text), 500)]))
			continue
		}
		if e.words != "" {
			continue
		}
		fmt.Fprintf(&page, "- %s\n", d.Message)
		if !d.Hint.IsZero() {
			fmt.Fprintf(&page, "- What to do: %s\n", d.Hint)
		}
		if d.Fix != nil {
			fmt.Fprintf(&page, "- Fix: %s\n", d.Fix.Title)
		}
		page.WriteString("\n")
	}
	path := filepath.Join("..", "..", "docs", "diagnostics.md")
	got := strings.TrimRight(page.String(), "\n") + "\n"
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	kept, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(strings.ReplaceAll(string(kept), "\r\n", "\n"), got); diff != "" {
		t.Errorf("docs/diagnostics.md is stale; write it with go test ./engine/config -run TestRules -update (-is "+
			"+should be):\n%s", diff)
	}
	// Every diagnostic of the corpus belongs to a rule.
	for name, source := range corpus(t) {
		for _, d := range Parse("config", source).Diagnostics {
			if !seen[d.Code] {
				t.Errorf("%s: %s has the code %q, which no rule has", name, d.Format("config"), d.Code)
			}
		}
	}
}

// shownExample returns a text as it is, or as a Go string if it has invisible characters.
func shownExample(text []byte) string {
	if strings.ContainsFunc(string(text), func(r rune) bool {
		return r != '\n' && !unicode.IsPrint(r) || r == unicode.ReplacementChar
	}) {
		return strconv.Quote(string(text))
	}
	return string(text)
}
