package foreign

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestOwnFieldsSurvive checks that every field of our own entries is read as the configuration reads it, and
// that no note says otherwise.
func TestOwnFieldsSurvive(t *testing.T) {
	for _, f := range config.ServerFields() {
		if f.Name == "inheritEnv" || f.Name == "trustToolChanges" || f.Name == "share" {
			continue // see TestNothingSwitchesProtectionOff
		}
		examples := f.Examples
		if f.Kind == config.KindSwitch {
			examples = []string{"true"}
		}
		if len(examples) == 0 {
			t.Errorf("%s has no example", f.Name)
		}
		for _, example := range examples {
			if example == `["*"]` {
				continue // all tools, which is the default
			}
			entry := fmt.Sprintf("%q: %s", f.Name, example)
			switch remote := f.For == config.TransportHTTP || f.Kind == config.KindTransport && example != `"stdio"`; {
			case f.Name == "command" || f.Name == "url":
			case remote:
				entry = `"url": "https://example.com/mcp", ` + entry
			default:
				entry = `"command": "server", ` + entry
			}
			want, _, ok := Read("a", []byte("{"+entry+"}"))
			found, err := Parse(`{"mcpServers": {"a": {` + entry + `}}}`)
			if !ok || err != nil || len(found.Entries) != 1 {
				t.Fatalf("%s: %v, %+v", entry, err, found)
			}
			// What is usual is not written: the transport, and "type" as another name for it.
			if got, want := string(JSON(&found.Entries[0].Server)), string(JSON(want)); got != want {
				t.Errorf("%s\nbecame %s\nwant   %s", entry, got, want)
			}
			for _, note := range found.Entries[0].Notes {
				if strings.Contains(note.String(), f.Name) {
					t.Errorf("%s: %s", entry, note)
				}
			}
		}
	}
}

// TestNothingSwitchesProtectionOff: whatever the form of a text from elsewhere, a server gets no more variables
// by it, its tools may not change by it, no AI app gets it that should not, and the person is told.
func TestNothingSwitchesProtectionOff(t *testing.T) {
	const members = `"command": "x", "inheritEnv": true, "trustToolChanges": true, "share": true, "askFirst": false, "apps": ["codex"], "folders": ["/"]`
	link := func(entry string) string {
		return "workbench://add?name=a&config=" + base64.StdEncoding.EncodeToString([]byte(entry))
	}
	for _, text := range []string{
		"{" + members + "}",
		`{"mcpServers": {"a": {` + members + `}}}`,
		`{"mcp_servers": {"a": {"command": "x", "inherit_env": "TRUE", "trust-tool-changes": "true", "Share": "true", "askFirst": false, "apps": [], "folders": []}}}`,
		`{"toolboxes": {"dev": {"askFirst": false, "apps": ["codex"], "folders": ["/"], "mcpServers": {"a": {` + members + `}}}}}`,
		link("{" + members + "}"),
		"[mcp_servers.a]\ncommand = \"x\"\ninheritEnv = true\ntrustToolChanges = true\nshare = true\naskFirst = false\napps = " +
			"[\"codex\"]\nfolders = [\"/\"]\n",
		"mcpServers:\n  a:\n    command: x\n    inheritEnv: true\n    trustToolChanges: true\n    share: true\n    askFirst: false\n    " +
			"apps: [codex]\n    folders: [/]\n",
	} {
		found, err := Parse(text)
		if err != nil || len(found.Entries) != 1 {
			t.Fatalf("%s: %v, %+v", text, err, found)
		}
		e := found.Entries[0]
		if s := e.Server; s.InheritEnv || s.TrustToolChanges || s.Share != nil || s.Limits.Apps != nil || s.Limits.Folders != nil {
			t.Errorf("%s\nis read as %+v", text, s)
		}
		said := ""
		for _, note := range slices.Concat(e.Notes, found.Notes) {
			said += strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(note.String())) + "\n"
		}
		for _, name := range []string{"inheritenv", "trusttoolchanges", "share", "apps", "folders"} {
			if !strings.Contains(said, name) {
				t.Errorf("%s\nsays nothing of %s: %s", text, name, said)
			}
		}
	}
	if found, err := Parse(`{"mcpServers": {"a": {"command": "x", "inheritEnv": false, "trustToolChanges": false, "share": false, "askFirst": true}}}`); err != nil || len(found.Entries[0].Notes) > 0 || !found.Entries[0].Server.AskFirst {
		t.Errorf("what takes nothing away: %+v, %v", found, err)
	}
}

// TestNothingIsLostSilently checks that a note names each field that does not become part of the entry.
func TestNothingIsLostSilently(t *testing.T) {
	many := ""
	for i := range 30 {
		many += fmt.Sprintf(`, "more%02d": 1`, i)
	}
	for text, want := range map[string]string{
		`{"command": "x", "unknown": 1, "other": {}}`:                                                         "“unknown” “other”",
		`{"command": "x", "callTimeout": "soon", "startupTimeout": -1, "askFirst": "perhaps"}`:                "“callTimeout” “startupTimeout” “askFirst”",
		`{"command": "x", "cwd": 5, "inheritEnv": 1}`:                                                         "“cwd” “inheritEnv”",
		`{"command": "x", "callTimeout": "5", "askFirst": "True", "unknown": null}`:                           "“unknown”",
		`{"url": "https://example.com/mcp", "args": ["a"], "cwd": "/x"}`:                                      "“args” “cwd”",
		`{"url": "https://example.com/mcp", "args": [], "cwd": ""}`:                                           "",
		`{"url": "https://example.com/mcp", "oauth": {"clientId": "x", "callbackPort": 99999, "realm": "y"}}`: "“oauth.callbackPort” “oauth.realm”",
		`{"command": "x"` + many + `}`:                                                                        "“more19” 10",
	} {
		found, err := Parse(`{"mcpServers": {"a": ` + text + `}}`)
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, note := range found.Entries[0].Notes {
			notes = append(notes, note.String())
		}
		says := func(name string) bool {
			return slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, name) })
		}
		for _, name := range strings.Fields(want) {
			if !says(name) {
				t.Errorf("%s\n%s is not named in %q", text, name, notes)
			}
		}
		if want == "" && len(notes) > 0 {
			t.Errorf("%s\nhas the notes %q", text, notes)
		}
	}
}

// TestReferencesOfAKnownProduct: where it is known that a product replaces $name, it is a reference although nothing
// else in the text is one.
func TestReferencesOfAKnownProduct(t *testing.T) {
	const text = `{"mcpServers": {"a": {"command": "x", "args": ["$key"]}}}`
	for app, want := range map[string]string{"Gemini CLI": "${key}", "Qwen Code": "${key}", "Claude Desktop": "$key"} {
		root, problem := Document([]byte(text), client.JSON)
		if !problem.IsZero() {
			t.Fatal(problem)
		}
		found, _ := Servers(root, Source{App: app, Keys: [][]string{{"mcpServers"}}})
		if got := found.Entries[0].Server.Args[0]; got != want {
			t.Errorf("%s: %s", app, got)
		}
	}
}
