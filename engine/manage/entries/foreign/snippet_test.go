package foreign

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

var update = flag.Bool("update", false, "write what was found into the files of testdata")

// TestPastes checks the results for texts as people find them. Each file of testdata has a text and the
// result; go test -update rewrites the results.
func TestPastes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("only %d files in testdata: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) == 0 || archive.Files[0].Name != "paste" {
				t.Fatal("the archive has no text to paste")
			}
			found, err := Parse(string(archive.Files[0].Data))
			got := describe(found, err)
			if *update {
				archive.Files = []txtar.File{archive.Files[0], {Name: "found", Data: []byte(got)}}
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(archive.Files) != 2 {
				t.Fatal("the archive does not have the result; run go test -update")
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Error(diff)
			}
			// The entries can be put into a configuration once the blanks are filled in.
			for _, e := range found.Entries {
				checkEntry(t, e)
			}
		})
	}
}

// checkEntry checks what must hold for every entry.
func checkEntry(t *testing.T, e Entry) {
	t.Helper()
	if strings.TrimSpace(e.Server.Name) == "" {
		t.Error("an entry has no name")
	}
	if e.Server.Command == "" && e.Server.URL == "" {
		t.Errorf("%s: there is neither a command nor an address: %s", e.Server.Name, JSON(&e.Server))
	}
	var replacements []Replacement
	for _, b := range e.Blanks {
		if len(b.Parts) == 0 || b.Label.IsZero() || b.Kind == "" {
			t.Errorf("%s: a blank lacks something: %+v", e.Server.Name, b)
		}
		for _, part := range b.Parts {
			if value := part.value(&e.Server); value == nil || !strings.Contains(*value, part.Text) {
				t.Errorf("%s: the blank %q is not at its place: %+v", e.Server.Name, b.Label, part)
			}
			replacements = append(replacements, Replacement{part, "filled-in"})
		}
	}
	for _, s := range e.Secrets {
		if value := s.value(&e.Server); value == nil || s.Text == "" || !strings.Contains(*value, s.Text) {
			t.Errorf("%s: a secret is not at its place: %s %s", e.Server.Name, s.Field, s.Name)
		}
		for _, note := range e.Notes {
			if len(s.Text) > 5 && strings.Contains(note.String(), s.Text) {
				t.Errorf("%s: a note contains a secret", e.Server.Name)
			}
		}
	}
	filled := Replace(&e.Server, replacements)
	again, problems, ok := Read(filled.Name, JSON(filled))
	if again == nil {
		t.Errorf("%s: cannot be read again: %v", e.Server.Name, problems)
		return
	}
	if ok && !again.Equal(filled) {
		t.Errorf("%s: read again, the entry is %s, not %s", e.Server.Name, JSON(again), JSON(filled))
	}
}

func describe(found Found, err error) string {
	var b strings.Builder
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
		return b.String()
	}
	fmt.Fprintf(&b, "kind: %s\n", found.Kind)
	for _, note := range found.Says() {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, e := range found.Entries {
		fmt.Fprintf(&b, "\n%s", e.Server.Name)
		if e.Toolbox != "" {
			fmt.Fprintf(&b, " in %s", e.Toolbox)
		}
		fmt.Fprintf(&b, "\n  %s\n  %s\n", JSON(&e.Server), CommandLine(&e.Server))
		for _, blank := range e.Blanks {
			fmt.Fprintf(&b, "  fill in %s (%s)", blank.Label, blank.Kind)
			for _, part := range blank.Parts {
				fmt.Fprintf(&b, " %s", describePart(part))
			}
			if blank.Default != "" || len(blank.Options) > 0 {
				fmt.Fprintf(&b, " default %q of %q", blank.Default, blank.Options)
			}
			b.WriteByte('\n')
		}
		for _, s := range e.Secrets {
			fmt.Fprintf(&b, "  secret %s, keep as %s\n", describePart(s.Part), s.Keychain)
		}
		for _, note := range e.Notes {
			fmt.Fprintf(&b, "  note: %s\n", note)
		}
	}
	return b.String()
}

func describePart(p Part) string {
	place := p.Field
	switch {
	case p.Field == "args":
		place += fmt.Sprintf("[%d]", p.Index)
	case p.Name != "":
		place += "." + p.Name
	}
	return fmt.Sprintf("%s %q", place, p.Text)
}

func TestNothingFound(t *testing.T) {
	for name, text := range map[string]string{
		"empty":      " \n\t",
		"binary":     "a\x00b",
		"prose":      "How do I add a server to this app?",
		"too large":  strings.Repeat("x", MaxSize+1),
		"a number":   "42",
		"other JSON": `{"a": 1}`,
	} {
		_, err := Parse(text)
		var why *Error
		if !errors.As(err, &why) || why.Message.IsZero() || why.Hint.IsZero() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadFileTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(path, make([]byte, MaxSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), "larger than the entry") {
		t.Error(err)
	}
}

func TestReplace(t *testing.T) {
	found, err := Parse(`{"mcpServers":{"x":{"command":"npx","args":["--key","YOUR_KEY"],"env":{"A_TOKEN":"","B":"x YOUR_B y"}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	e := found.Entries[0]
	var all []Replacement
	for i, blank := range e.Blanks {
		all = append(all, Replacement{blank.Parts[0], fmt.Sprintf("value%d", i)})
	}
	got := string(JSON(Replace(&e.Server, all)))
	if want := `{"command":"npx","args":["--key","value0"],"env":{"A_TOKEN":"value1","B":"x value2 y"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if e.Server.Args[1] != "YOUR_KEY" {
		t.Error("the original was changed")
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		`npx -y "a b" 'c d' e\ f`:              {"npx", "-y", "a b", "c d", "e f"},
		"npx \\\n  -y \\\n  x":                 {"npx", "-y", "x"},
		"npx ^\n -y x":                         {"npx", "-y", "x"},
		`C:\tools\node.exe C:\Users\me\a.js`:   {`C:\tools\node.exe`, `C:\Users\me\a.js`},
		`"C:\Program Files\nodejs\npx.cmd" -y`: {`C:\Program Files\nodejs\npx.cmd`, "-y"},
		`a "say \"hi\"" '$HOME' $HOME`:         {"a", `say "hi"`, "$HOME", "${HOME}"},
		`a --x='{"k":"v w"}'`:                  {"a", `--x={"k":"v w"}`},
		`a b > out.txt 2>&1`:                   {"a", "b"},
		`a b | tee log`:                        {"a", "b"},
		`a "not closed`:                        {"a", "not closed"},
		`\\server\share\x.exe y`:               {`\\server\share\x.exe`, "y"},
		``:                                     nil,
		`a "" b`:                               {"a", "", "b"},
		`a x#y #comment`:                       {"a", "x#y", "#comment"},
		`a x # comment`:                        {"a", "x"},
		`a --k "$(cat "my key")" b`:            {"a", "--k", `$(cat "my key")`, "b"},
		"a --k `cat key` $(op read 'x y') b":   {"a", "--k", "`cat key`", "$(op read 'x y')", "b"},
		`a "$(not closed`:                      {"a", "$(not closed"},
		`a $'b c' $`:                           {"a", "b c", "$"},
		`(a b)`:                                {"a", "b"},
		`{ a b; }`:                             {"a", "b"},
		`a (b) {c}`:                            {"a", "(b)", "{c}"},
		`a --key=<your-key> --u https://x/?a=1&b=2`: {"a", "--key=<your-key>", "--u", "https://x/?a=1&b=2"},
		"a <<'EOF'\nb c\n'\nEOF\nd":                 {"a"},
	} {
		if diff := cmp.Diff(want, split(line)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// TestSplitCommands reads texts with several commands.
func TestSplitCommands(t *testing.T) {
	for text, want := range map[string][][]string{
		"cat > x <<'EOF'\n{\"a\": 1}\nEOF\nb c": {{"cat"}, {"b", "c"}},
		"cat <<-A <<B > x\n1\n\tA\n2\nB\nb":     {{"cat"}, {"b"}},
		"cat <<EOF\nnever closed":               {{"cat"}},
		"(cd /x && a b); c":                     {{"cd", "/x"}, {"a", "b"}, {"c"}},
		"a $(b; c) && d":                        {{"a", "$(b; c)"}, {"d"}},
	} {
		var got [][]string
		for _, c := range commandsOf(text) {
			got = append(got, c.words)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestInspectKeepsOurSigns: what a person types into our form is ours.
func TestInspectKeepsOurSigns(t *testing.T) {
	e := Inspect(config.Server{Command: "x", Args: []string{"${$}HOME", "${~}/y", "${%}TEMP%", "${MY VAR}", "${A:-b}"}})
	if want := []string{"${$}HOME", "${~}/y", "${%}TEMP%", "${MY VAR}", "${A:-b}"}; !slices.Equal(e.Server.Args, want) {
		t.Errorf("%q", e.Server.Args)
	}
}

func TestNames(t *testing.T) {
	for subject, want := range map[string]string{
		"@modelcontextprotocol/server-filesystem":        "filesystem",
		"@modelcontextprotocol/server-filesystem@2025.1": "filesystem",
		"@playwright/mcp@latest":                         "playwright",
		"@notionhq/notion-mcp-server":                    "notion",
		"@upstash/context7-mcp":                          "context7",
		"@supabase/mcp-server-supabase@latest":           "supabase",
		"tavily-mcp":                                     "tavily",
		"mcp-server-git":                                 "git",
		"mcp_server_time":                                "time",
		"ghcr.io/github/github-mcp-server":               "github",
		"mcp/brave-search":                               "brave-search",
		"/home/x/weather/build/index.js":                 "weather",
		`C:\work\my-tool\server.py`:                      "my-tool",
		"git+https://github.com/oraios/serena":           "serena",
		"<package>":                                      "",
		"@sentry/mcp-server":                             "sentry",
		"mcp-server-sqlite==1.2":                         "sqlite",
		"@microsoft/m365-copilot_mcp":                    "m365-copilot",
		"/path/to/parent/folder/weather":                 "weather",
		"https://github.com/a/b.git":                     "b",
		"@21st-dev/magic@latest":                         "magic",
		"mcp-server-fetch[all]":                          "fetch",
	} {
		if got := packageName(subject); got != want {
			t.Errorf("%s: %q, want %q", subject, got, want)
		}
	}
	for address, want := range map[string]string{
		"https://mcp.deepwiki.com/mcp":               "deepwiki",
		"https://learn.microsoft.com/api/mcp":        "microsoft",
		"https://api.githubcopilot.com/mcp/":         "github",
		"https://mcp.notion.com/mcp":                 "notion",
		"http://localhost:3000/mcp":                  "local-server",
		"http://127.0.0.1:8080/weather/mcp":          "weather",
		"https://docs.mcp.cloudflare.com/mcp":        "cloudflare",
		"https://my-mcp-server.acme.workers.dev/sse": "my",
		"https://mcp.example.co.uk/mcp":              "example",
	} {
		if got := hostName(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// FuzzParse checks that any text gives either consistent entries or an error that says what to do.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if archive, err := txtar.ParseFile(file); err == nil && len(archive.Files) > 0 {
			f.Add(string(archive.Files[0].Data))
		}
	}
	f.Add("\\")
	f.Add("claude mcp add")
	f.Add("vscode:mcp/install?%7B")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := Parse(text)
		if err != nil {
			var why *Error
			if !errors.As(err, &why) || why.Hint.IsZero() {
				t.Errorf("an error without a hint: %v", err)
			}
			return
		}
		if len(found.Entries) == 0 || found.Kind.IsZero() {
			t.Errorf("nothing found, but no error: %+v", found)
		}
		names := map[string]bool{}
		for _, e := range found.Entries {
			if key := e.Toolbox + "\n" + e.Server.Name; names[key] {
				t.Errorf("the name %q is there twice", e.Server.Name)
			} else {
				names[key] = true
			}
			checkEntry(t, e)
		}
	})
}
