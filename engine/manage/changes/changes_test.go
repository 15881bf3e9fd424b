package changes_test

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

func document(entry string) string { return `{"toolboxes":{"dev":{"mcpServers":{` + entry + `}}}}` }

func server(t *testing.T, source string) *config.Server {
	t.Helper()
	parsed := config.Parse("", []byte(source))
	if !parsed.Valid() {
		t.Fatal(parsed.Errors())
	}
	return parsed.Config.Toolboxes[0].Servers[0]
}

func TestDifference(t *testing.T) {
	long := strings.Repeat("x", 5000)
	w := approval.Waiting{
		Toolbox: "dev",
		Old:     server(t, document(`"s":{"command":"npx","args":["-y","a b"],"env":{"TOKEN":"one-two-three","HOME":"${HOME}"}}`)),
		Server:  server(t, document(`"s":{"command":"npx","args":["-y","a\nb\u202e\u001b[2J","`+long+`"],"env":{"TOKEN":"four-five-six","HOME":"${HOME}"}}`)),
	}
	got := changes.Difference(w)
	for _, want := range []string{
		" command: \"npx\"\n", `-args[1]: "a b"`, `+args[1]: "a\nb\u202e\u001b[2J"`, `+args[2]: "` + long + `"`, "-env.TOKEN: \"••• #", "+env.TOKEN: \"••• #", ` env.HOME: "${HOME}"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, secret := range []string{"one-two", "four-five", "\x1b", "\u202e"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q is in\n%s", secret, got)
		}
	}
}

// TestPutBack changes each guarded field, takes it back, and finds everything else as the other program left it.
func TestPutBack(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"command and args", `"s":{"command":"a","args":["b"]}`, `"s":{"description":"d","command":"evil"}`, `"s":{"description":"d","command":"a","args":["b"]}`},
		{"variables", `"s":{"command":"a","env":{"A":"1"}}`, `"s":{"command":"a","env":{"A":"2","B":"3"},"cwd":"/tmp"}`, `"s":{"command":"a","env":{"A":"1"}}`},
		{"kind", `"s":{"command":"a"}`, `"s":{"url":"https://a.example","headers":{"A":"B"}}`, `"s":{"command":"a"}`},
		{"other kind", `"s":{"url":"https://a.example","type":"sse","oauth":{"clientId":"c","callbackPort":80}}`, `"s":{"command":"evil","args":["x"]}`,
			`"s":{"url":"https://a.example","type":"sse","oauth":{"clientId":"c","callbackPort":80}}`},
		{"filters stay", `"s":{"command":"a"}`, `"s":{"command":"b","toolFilters":["x"],"disabled":true}`, `"s":{"command":"a","toolFilters":["x"],"disabled":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := approval.Waiting{Toolbox: "dev", Server: server(t, document(c.after)), Old: server(t, document(c.before))}
			result, err := edit.Apply([]byte(document(c.after)), changes.PutBack(w)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := server(t, string(result.Source)); !got.Equal(server(t, document(c.want))) {
				t.Errorf("got %s, want %s", result.Source, c.want)
			}
		})
	}
}

func TestPutBackWhatWasAdded(t *testing.T) {
	source := document(`"s":{"command":"evil"},"t":{"command":"t"}`)
	w := approval.Waiting{Toolbox: "dev", Server: server(t, source)}
	result, err := edit.Apply([]byte(source), changes.PutBack(w)...)
	if err != nil || server(t, string(result.Source)).Name != "t" {
		t.Errorf("%s %v", result.Source, err)
	}
}
