package toolboxes

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2/lang"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestMain(m *testing.M) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		panic(err)
	}
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

// look is the View of a file that has always been so.
func look(text string) View {
	document := parse(text)
	source := Source{Path: path, Now: document}
	if document.Valid() {
		source.Good = document
	}
	return Look(source)
}

func TestLook(t *testing.T) {
	got := look(sample)
	want := View{Path: path, Toolboxes: []Toolbox{
		{Name: "dev", Description: "Development tools", Servers: []Server{
			{Name: "files", Line: `npx -y server-files "${HOME}/My Documents" ""`, State: theme.StateIdle, Word: "Not started yet"},
			{Name: "old", Line: "uvx mcp-git", State: theme.StateDisabled, Word: "Switched off"},
		}},
		{Name: "research", Servers: []Server{
			{Name: "search", Kind: "Web address", State: theme.StateIdle, Word: "Not started yet"},
		}},
		{Name: "home"},
	}}
	if address := got.Toolboxes[1].Servers[0].Line; strings.Contains(address, "hush") || !strings.Contains(address, "example.com/mcp") {
		t.Errorf("the address is shown as %q; it should be there but for its password", address)
	}
	got.Toolboxes[1].Servers[0].Line = ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("view (-want +got):\n%s", diff)
	}
	if got.Worst() != theme.StateConnected || got.Servers() != 3 {
		t.Errorf("worst %v, %d servers", got.Worst(), got.Servers())
	}
}

// A file that an edit has broken leaves the last good toolboxes, and says where and what is wrong.
func TestLookAtABrokenFile(t *testing.T) {
	broken := Look(Source{Path: path, Good: parse(sample), Now: parse(strings.Replace(sample, `"disabled": true`, `"disabled" true`, 1))})
	if !broken.Broken || len(broken.Toolboxes) != 3 || broken.Worst() != theme.StateWrong {
		t.Fatalf("broken %v, %d toolboxes, %v", broken.Broken, len(broken.Toolboxes), broken.Worst())
	}
	first := broken.Problems[0]
	if !strings.HasPrefix(first.Place, "workbench-config.json:4:") || first.Message == "" || first.Hint == "" || first.State != theme.StateWrong {
		t.Errorf("the problem is shown as %+v", first)
	}
	if never := look("{"); !never.Broken || len(never.Toolboxes) != 0 || len(never.Problems) == 0 {
		t.Errorf("a file that never was right: %+v", never)
	}
}

func TestLookAtAFileThatCannotBeRead(t *testing.T) {
	view := Look(Source{Path: path, Good: parse(sample), Err: errors.New("there is no configuration file")})
	want := []Problem{{Place: path, Message: "There is no configuration file", State: theme.StateWrong}}
	if diff := cmp.Diff(want, view.Problems); diff != "" || !view.Broken || len(view.Toolboxes) != 3 {
		t.Errorf("broken %v, %d toolboxes, problems (-want +got):\n%s", view.Broken, len(view.Toolboxes), diff)
	}
}

// A warning is a problem, but the file is used.
func TestLookAtAWarning(t *testing.T) {
	view := look(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x", "cwdd": "x"}}}}}`)
	if view.Broken || len(view.Problems) != 1 || view.Worst() != theme.StateNotice {
		t.Errorf("broken %v, worst %v, problems %+v", view.Broken, view.Worst(), view.Problems)
	}
	if got := ProblemCount(view); got != "1 problem" {
		t.Errorf("it is called %q", got)
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"unknown key":         "Unknown key",
		"":                    "",
		`"x" is missing`:      `"x" is missing`,
		"${HOME} is not set":  "${HOME} is not set",
		"toolMode: not known": "toolMode: not known",
		"Überall":             "Überall",
	} {
		if got := sentence(in); got != want {
			t.Errorf("sentence(%q) = %q, want %q", in, got, want)
		}
	}
}

// names writes rows as text: toolboxes by name, servers after a dash.
func names(view View, rows []Row) string {
	var words []string
	for _, row := range rows {
		choice := view.at(row)
		if choice.Server == "" {
			words = append(words, choice.Toolbox)
		} else {
			words = append(words, "-"+choice.Server)
		}
	}
	return strings.Join(words, " ")
}

func TestRows(t *testing.T) {
	view := look(sample)
	for _, c := range []struct {
		search string
		folded string
		want   string
	}{
		{"", "", "dev -files -old research -search home"},
		{"", "dev", "dev research -search home"},
		{"FILES", "", "dev -files"},
		{"files", "dev", "dev -files"},            // a search looks into folded toolboxes
		{"development", "", "dev -files -old"},    // a toolbox by its description, whole
		{" example.com ", "", "research -search"}, // a server by its address
		{"home", "", "dev -files home"},           // ${HOME} in an argument, and the toolbox
		{"nothing like it", "", ""},
	} {
		if got := names(view, view.Rows(c.search, map[string]bool{c.folded: true})); got != c.want {
			t.Errorf("search %q, folded %q: %q, want %q", c.search, c.folded, got, c.want)
		}
	}
}

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
			t.Error("the file cannot be used, and nothing says why")
		}
	})
}

// many is a configuration of 50 toolboxes with 20 servers each.
func many() View {
	var b strings.Builder
	for i := range 50 {
		for j := range 20 {
			switch {
			case i == 0 && j == 0:
				b.WriteString(`{"toolboxes": {"toolbox-0": {"mcpServers": {`)
			case j == 0:
				fmt.Fprintf(&b, `}}, "toolbox-%d": {"mcpServers": {`, i)
			default:
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, `"server-%d": {"command": "program", "args": ["--number", "%d"]}`, j, i)
		}
	}
	b.WriteString("}}}}")
	return look(b.String())
}
