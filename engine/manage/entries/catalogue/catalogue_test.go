package catalogue

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

var placeholder = regexp.MustCompile(`\{\{([^}]*)\}\}`)

func TestEntries(t *testing.T) {
	all := All()
	if len(all) < 40 {
		t.Fatalf("only %d servers", len(all))
	}
	ids, titles := map[string]bool{}, map[string]bool{}
	for _, e := range all {
		if ids[e.ID] || titles[e.Title.String()] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(e.ID) {
			t.Errorf("%s: the id or the title is used twice, or the id is invalid", e.ID)
		}
		ids[e.ID], titles[e.Title.String()] = true, true
		if !strings.HasSuffix(e.Description.String(), ".") || len(e.Description.String()) > 120 {
			t.Errorf("%s: %q, %q", e.ID, e.Title, e.Description)
		}
		if e.Publisher == "" || len(e.Publisher) > 30 {
			t.Errorf("%s: the publisher is missing or too long: %q", e.ID, e.Publisher)
		}
		if !slices.Contains(Categories(), e.Category) {
			t.Errorf("%s: category %q", e.ID, e.Category)
		}
		if link, err := url.Parse(e.Page); err != nil || link.Scheme != "https" || link.Host == "" {
			t.Errorf("%s: the link is %q", e.ID, e.Page)
		}
		checkTemplate(t, e)
	}
	for _, category := range Categories() {
		if !slices.ContainsFunc(all, func(e Entry) bool { return e.Category == category }) {
			t.Errorf("the category %q is empty", category)
		}
	}
}

// checkTemplate checks that every input is used, that secrets go where other users cannot see them, and that
// the program belongs to the stated requirement.
func checkTemplate(t *testing.T, e Entry) {
	t.Helper()
	var tpl template
	decoder := json.NewDecoder(strings.NewReader(string(e.Template)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&tpl); err != nil {
		t.Fatalf("%s: %v", e.ID, err)
	}
	if tpl.Command != e.Needs.Command() || (tpl.URL == "") == (tpl.Command == "") {
		t.Errorf("%s: needs %q, runs %q at %q", e.ID, e.Needs, tpl.Command, tpl.URL)
	}
	hidden := map[string]bool{}
	used := map[string]bool{}
	note := func(text string, hides bool) {
		if strings.Count(text, "{{") > 1 {
			t.Errorf("%s: two inputs in one text: %s", e.ID, text)
		}
		for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
			hidden[m[1]] = hides
		}
	}
	for _, arg := range tpl.Args {
		note(arg, false)
	}
	note(tpl.URL, false)
	for _, v := range append(tpl.Env, tpl.Headers...) {
		note(v.value, true)
	}
	for _, in := range e.Inputs {
		if !used[in.ID] {
			t.Errorf("%s: the input %q is not used", e.ID, in.ID)
		}
		if in.Kind == KindSecret && !hidden[in.ID] {
			t.Errorf("%s: the secret %q is not in env or headers", e.ID, in.ID)
		}
		if (in.Kind == KindChoice) != (len(in.Options) > 0) || (in.Kind == KindList) != (in.Of != "") {
			t.Errorf("%s: the input %q: %+v", e.ID, in.ID, in)
		}
		delete(used, in.ID)
	}
	for id := range used {
		t.Errorf("%s: nothing fills in {{%s}}", e.ID, id)
	}
}

// sample returns a value for an input.
func sample(in Input) string {
	switch in.Kind {
	case KindFolder, KindFile:
		return "/home/ann/x"
	case KindURL:
		return "https://example.com/mcp"
	case KindChoice:
		return in.Options[len(in.Options)-1].Value
	case KindList:
		return "/home/ann/a b\n/home/ann/c\n"
	}
	return "value"
}

// TestFill checks that every server, filled in, is an entry without diagnostics: once with all inputs and
// once with only the required ones.
func TestFill(t *testing.T) {
	for _, e := range All() {
		full, least := map[string]string{}, map[string]string{}
		for _, in := range e.Inputs {
			full[in.ID] = sample(in)
			if in.Required {
				least[in.ID] = sample(in)
			}
		}
		for what, values := range map[string]map[string]string{"full": full, "least": least} {
			name, entry, err := e.Fill(values)
			if err != nil {
				t.Errorf("%s, %s: %v", e.ID, what, err)
				continue
			}
			if name != e.ID || placeholder.Match(entry) {
				t.Errorf("%s, %s: %s %s", e.ID, what, name, entry)
			}
			document := config.Parse("x", []byte(`{"toolboxes":{"x":{"mcpServers":{"`+name+`":`+string(entry)+`}}}}`))
			for _, d := range document.Diagnostics {
				t.Errorf("%s, %s: %s", e.ID, what, d.Format("x"))
			}
		}
		for _, in := range e.Inputs {
			if !in.Required || in.Default != "" {
				continue
			}
			without := map[string]string{}
			for id, value := range full {
				if id != in.ID {
					without[id] = value
				}
			}
			var wrong *InputError
			if _, _, err := e.Fill(without); !errors.As(err, &wrong) || wrong.Input != in.ID || !errors.Is(err, ErrMissing) {
				t.Errorf("%s without %s: %v", e.ID, in.ID, err)
			}
		}
	}
}

func TestFillInDetail(t *testing.T) {
	for _, test := range []struct {
		id     string
		values map[string]string
		want   string
	}{
		{"filesystem", map[string]string{"folders": "/a b\n\n /c \n"},
			`{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/a b","/c"]}`},
		{"playwright", nil, `{"command":"npx","args":["-y","@playwright/mcp@latest"]}`},
		{"playwright", map[string]string{"headless": "--headless"},
			`{"command":"npx","args":["-y","@playwright/mcp@latest","--headless"]}`},
		{"hugging-face", nil, `{"url":"https://huggingface.co/mcp"}`},
		{"github", map[string]string{"token": "${keyring:github/token}"},
			`{"url":"https://api.githubcopilot.com/mcp/","headers":{"Authorization":"Bearer ${keyring:github/token}"}}`},
		{"time", nil, `{"command":"workbench-engine","args":["server","time"]}`},
		{"files", map[string]string{"folders": "/a b\n/c"},
			`{"command":"workbench-engine","args":["server","files","/a b","/c"]}`},
		{"gitlab", map[string]string{"token": "k"},
			`{"command":"npx","args":["-y","@zereight/mcp-gitlab"],"env":{"GITLAB_PERSONAL_ACCESS_TOKEN":"k","GITLAB_API_URL":"https://gitlab.com/api/v4"}}`},
		{"obsidian", map[string]string{"key": "k"},
			`{"command":"uvx","args":["mcp-obsidian"],"env":{"OBSIDIAN_API_KEY":"k"}}`},
	} {
		e, ok := Find(test.id)
		if !ok {
			t.Fatal(test.id)
		}
		if _, entry, err := e.Fill(test.values); err != nil || string(entry) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.id, entry, err, test.want)
		}
	}
	for id, values := range map[string]map[string]string{
		"playwright": {"headless": "--evil"},
		"zapier":     {"address": "ftp://x"},
		"git":        {"folder": "/a\n/b"},
		"fetch":      {"x": "y"},
	} {
		e, _ := Find(id)
		if _, entry, err := e.Fill(values); err == nil {
			t.Errorf("%s with %v: %s", id, values, entry)
		}
	}
}

// TestCopyAsPath: Windows copies paths with quotes around them, which are not part of the path.
func TestCopyAsPath(t *testing.T) {
	for _, e := range All() {
		if e.ID != "files" {
			continue
		}
		_, entry, err := e.Fill(map[string]string{"folders": "\"/home/ada/My Docs\"\n /home/ada/\"x\"\n\"\n"})
		if want := `["server","files","/home/ada/My Docs","/home/ada/\"x\"","\""]`; err != nil ||
			!strings.Contains(string(entry), want) {
			t.Errorf("%s, %v, want %s", entry, err, want)
		}
	}
}
