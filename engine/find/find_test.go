package find

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// realTools returns the lists of real servers, in toolboxes without a description.
func realTools(t testing.TB) (tools []Tool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "tools", "*.json"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct {
			Name, Title, Description string
			InputSchema              json.RawMessage
		}
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(file, err)
		}
		for _, tool := range list {
			tools = append(tools, Tool{"all", strings.TrimSuffix(filepath.Base(file), ".json"), tool.Name, tool.Title,
				tool.Description, tool.InputSchema})
		}
	}
	return tools
}

func indexOf(tools []Tool) *Index {
	var a Analyzer
	docs := make([]Doc, len(tools))
	for i, tool := range tools {
		docs[i] = a.Doc(tool)
	}
	return NewIndex(docs)
}

// ask returns the number of questions in a file, and for how many of them their tool is among the first five
// results.
func ask(t *testing.T, file string, tools []Tool) (right, all int) {
	t.Helper()
	x := indexOf(tools)
	source, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	lines := bufio.NewScanner(source)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		question, tool, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			t.Fatalf("%q has no tool", lines.Text())
		}
		all++
		var got []string
		for _, i := range x.Find(question, 5) {
			got = append(got, tools[i].Server+"/"+tools[i].Name)
		}
		for _, want := range strings.Fields(tool) {
			if !slices.ContainsFunc(tools, func(t Tool) bool { return t.Server+"/"+t.Name == want }) {
				t.Errorf("%s is not found", want)
			}
		}
		if slices.ContainsFunc(strings.Fields(tool), func(want string) bool { return slices.Contains(got, want) }) {
			right++
		} else {
			t.Logf("%s: %s is not among %s", question, tool, got)
		}
	}
	return right, all
}

// TestQuestions checks for how many questions the right tool is among the first five results. Each file says
// where its questions come from.
func TestQuestions(t *testing.T) {
	tools := realTools(t)
	for _, test := range []struct {
		file       string
		least, all int
	}{
		{"queries.txt", 60, 60},
		{"heldout.txt", 60, 66},
		{"requests.txt", 23, 60},
		{"questions.txt", 55, 60},
		{"tuned.txt", 145, 155},
	} {
		right, all := ask(t, test.file, tools)
		t.Logf("%s: %d of %d", test.file, right, all)
		if all != test.all || right < test.least {
			t.Errorf("%s: %d of %d questions bring their tool, want %d of %d", test.file, right, all, test.least, test.all)
		}
	}
}

// TestMeanings: phrases, names of things, and words that no tool has are understood.
func TestMeanings(t *testing.T) {
	tools := []Tool{
		{Server: "s", Name: "read_file"}, {Server: "s", Name: "geocode", Description: "Finds coordinates"},
		{Server: "s", Name: "list_pull_requests"}, {Server: "s", Name: "navigate", Description: "Go to a URL"},
		{Server: "s", Name: "remove", Description: "Deletes it"}, {Server: "s", Name: "restart_kubernetes"},
	}
	x := indexOf(tools)
	for question, want := range map[string]string{
		"notes.md": "read_file", "52.5, 13.4": "geocode", "PRs": "list_pull_requests", "https://example.com/a": "navigate",
		"throw it away, throw away": "remove",
		"kubernetis":                "restart_kubernetes", "kubernete": "restart_kubernetes",
		"subdirectories of mykubernetes": "restart_kubernetes",
	} {
		if found := x.Find(question, 1); len(found) == 0 || tools[found[0]].Name != want {
			t.Errorf("%s: %v", question, found)
		}
	}
	if found := x.Find("12 345", 5); len(found) != 0 {
		t.Errorf("numbers: %v", found)
	}
}

// TestFindIsFast checks that the median time of a question over 5,000 tools is at most 5 ms.
func TestFindIsFast(t *testing.T) {
	x := indexOf(many(t, 5_000))
	var times []time.Duration
	for range 21 {
		begun := time.Now()
		x.Find("which files changed in the last commit that was pushed to the branch of the pull request", 10)
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	if middle := times[len(times)/2]; middle > 5*time.Millisecond {
		t.Errorf("%s", middle)
	}
}

// BenchmarkFind measures one question over 5,000 tools. It must take at most 5 ms.
func BenchmarkFind(b *testing.B) {
	x := indexOf(many(b, 5_000))
	for b.Loop() {
		if len(x.Find("which files changed in the last commit", 10)) != 10 {
			b.Fatal("too few")
		}
	}
}

// BenchmarkIndex measures what is done once, and again when tools have changed.
func BenchmarkIndex(b *testing.B) {
	tools := many(b, 5_000)
	for b.Loop() {
		indexOf(tools)
	}
}

// many returns a number of tools: the real ones repeated under other servers.
func many(t testing.TB, n int) []Tool {
	tools := realTools(t)
	for i := len(tools); i < n; i++ {
		tool := tools[i%len(tools)]
		tool.Server = fmt.Sprintf("%s-%d", tool.Server, i)
		tools = append(tools, tool)
	}
	return tools[:n]
}

// TestGreedyTool: a tool cannot improve its rank by repeating words.
func TestGreedyTool(t *testing.T) {
	tools := realTools(t)
	// A word that is said more often brings a tool no further.
	others := strings.Repeat("other words about the weather in the mountains ", 3)
	for _, word := range []string{"channel", "folder", "issue"} {
		often := Tool{Server: "evil", Name: "collect", Description: strings.Repeat(word+" ", 8) + others}
		twice := Tool{Server: "honest", Name: "gather", Description: strings.Repeat(word+" ", 2) + others}
		found := indexOf([]Tool{often, twice}).Find(word, 2)
		if len(found) != 2 || found[0] != 1 {
			t.Errorf("%s: the results are %v", word, found)
		}
	}
	for _, times := range []int{3, 10, 100, 20_000} {
		greedy := Tool{Server: "evil", Name: "collect",
			Description: strings.Repeat("message channel send team commit file issue folder page. ", times)}
		x := indexOf(append(slices.Clone(tools), greedy))
		for _, question := range []string{"send a message to the team channel", "make a new folder",
			"open an issue for this bug on GitHub"} {
			if at := slices.Index(x.Find(question, 5), len(tools)); at == 0 {
				t.Errorf("%s: the tool that says its words %d times is the first result", question, times)
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("createIssue", "Makes an HTMLPage. \u202e", `{"properties":{"a_b":{}}}`, "make a PR")
	f.Add("", "", `{"properties":[1]}`, "the")
	f.Fuzz(func(t *testing.T, name, description, schema, question string) {
		if !json.Valid([]byte(schema)) {
			schema = "{}"
		}
		x := indexOf([]Tool{{"box", "server", name, name, description, json.RawMessage(schema)}, {Name: "other"}})
		found := x.Find(question, 1)
		if len(found) > 1 || len(found) == 1 && (found[0] < 0 || found[0] > 1) {
			t.Errorf("%v", found)
		}
	})
}
