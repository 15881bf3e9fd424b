package client

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		id, greeting string
		want         bool
	}{
		{"claude-desktop", "claude-ai", true}, {"claude-desktop", "", true}, {"claude-desktop", "anything", true},
		{"claude-desktop", "Visual Studio Code", false}, // it reads the other app's file
		{"claude-desktop", "claude-code", true}, {"vscode-insiders", "Visual Studio Code", true},
		{"", "claude-ai", false}, {"inspector", "inspector", false},
		{"qwen", "qwen-cli-mcp-client-workbench", true}, {"qwen", "QWEN-cli-mcp-client-my tools", true},
		{"claude-desktop", "qwen-cli-mcp-client-x", false},
		{"qwen", "gemini-cli-mcp-client", false}, {"claude-desktop", "qwen-cli", true},
	} {
		if got := Matches(test.id, test.greeting); got != test.want {
			t.Errorf("%q by the entry of %q: %v", test.greeting, test.id, got)
		}
	}
}

// TestTableIsWhole checks that every row has all texts for people, and that no client gets dynamic mode
// unless the real program was run.
func TestTableIsWhole(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, c := range All() {
		if c.ID == "" || c.Name == "" || len(c.Places) == 0 || len(c.Key) == 0 || len(c.Shape) == 0 || c.Uptake == "" ||
			c.Format == "" {
			t.Errorf("%q is incomplete", c.ID)
		}
		if ids[c.ID] {
			t.Errorf("%q is used twice", c.ID)
		}
		ids[c.ID] = true
		for _, name := range c.ClientNames {
			if names[name] {
				t.Errorf("%q is the greeting of two clients", name)
			}
			names[name] = true
			if found := Find("", " "+name); found.ID != c.ID {
				t.Errorf("%q finds %q", name, found.ID)
			}
		}
		if c.Seen != "" && c.Source != "" {
			t.Errorf("%s: seen is %q, source is %q; want one of them", c.ID, c.Seen, c.Source)
		}
		known := c.NewTools != ToolsUnknown || c.Limit.Size != 0 || c.Pause != 0 || c.Patience != 0 || c.NameBudget != 0 ||
			c.FirstLine || c.Instructions != Unknown
		if known != (c.Seen != "" || c.Source != "") {
			t.Errorf("%s: has behaviour without a source, or a source without behaviour", c.ID)
		}
		if c.Dynamic() && c.Seen == "" {
			t.Errorf("%s gets dynamic mode, but the real program was not run", c.ID)
		}
		if c.Rewriting == FromMemory && c.ByHand == "" && len(c.Programs) == 0 {
			t.Errorf("%s writes its file from memory, and it cannot be known whether it is running", c.ID)
		}
		if found := Find(c.ID, "Zed"); found.Name != c.Name {
			t.Errorf("%s is not found by its id", c.ID)
		}
	}
	if !slices.Equal(IDs(), slices.Compact(IDs())) || len(IDs()) != len(ids) {
		t.Errorf("the ids are %q", IDs())
	}
}

// TestSentences checks that every text that the table names exists.
func TestSentences(t *testing.T) {
	check := func(c Client, codes ...words.Code) {
		for _, code := range codes {
			if text := c.Say(code).String(); code != "" && text == string(code) {
				t.Errorf("%s: assets/translations has no words for %s", c.ID, code)
			}
		}
	}
	for _, c := range slices.Concat(All(), Retired()) {
		check(c, c.Limits...)
		check(c, c.Trust, c.ByHand)
		for _, place := range c.Places {
			check(c, place.Says)
		}
		if c.Managed != nil {
			for _, one := range c.Managed.Switches {
				check(c, one.Says)
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Find("warp", "")
	}
}

// TestDocumented checks that docs/clients.md and the table agree about the programs that were run.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range All() {
		if c.Seen == "" {
			continue
		}
		version, day, _ := strings.Cut(c.Seen, ", ")
		mode := "proxy"
		if c.Dynamic() {
			mode = "dynamic"
		}
		row := regexp.MustCompile(fmt.Sprintf(
			`(?m)^\| %s[^|]* \| %s \| %s \| %s \|.*\| (all|none|the first 250 characters) \| [^|]*\|$`,
			c.Name, regexp.QuoteMeta(version), day, mode)).FindSubmatch(page)
		if row == nil {
			t.Errorf("docs/clients.md has no row for %s %s, run on %s in %s mode", c.Name, version, day, mode)
		} else if shown := string(row[1]) != "none"; shown != (c.Instructions == Yes) {
			t.Errorf("%s: docs/clients.md says that the instructions are shown: %v", c.Name, shown)
		}
	}
}

// The person gets at most five minutes to answer a question, and leaves some of the app's time for the call.
func TestTimeToAnswer(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{0: 0, time.Minute: 45 * time.Second,
		5 * time.Minute: 285 * time.Second, 28 * time.Hour: 5 * time.Minute} {
		if got := (Session{CallLimit: limit}).Answering(); got != want {
			t.Errorf("of %v: %v, want %v", limit, got, want)
		}
	}
}
