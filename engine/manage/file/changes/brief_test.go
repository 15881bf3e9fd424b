package changes_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
)

func TestBrief(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"an argument", `"command":"npx","args":["-y","server@1.0.0"]`, `"command":"npx","args":["-y","server@1.1.0"]`,
			[]string{`args[1]: "server@1.0.0" → "server@1.1.0"`}},
		{"added and removed", `"command":"npx","args":["x"],"env":{"MODE":"a"}`,
			`"command":"npx","args":["x"],"env":{"LEVEL":"2"}`, []string{`+ env.LEVEL: "2"`, `- env.MODE: "a"`}},
		{"a new server", ``, `"command":"server"`, []string{`+ command: "server"`}},
		{"another program", `"command":"a"`, `"command":"b"`, []string{`command: "a" → "b"`}},

		{"a secret", `"command":"x","env":{"TOKEN":"one-two-three"}`, `"command":"x","env":{"TOKEN":"four-five-six"}`, nil},
		{"a secret that is gone", `"command":"x","env":{"TOKEN":"one-two-three"}`, `"command":"x"`, nil},
		{"a secret in an argument", `"command":"x","args":["--token=one-two-three"]`,
			`"command":"x","args":["--token=four-five-six"]`, nil},
		{"the folder", `"command":"x","cwd":"/a"`, `"command":"x","cwd":"/b"`, nil},
		{"a folder that is gone", `"command":"x","cwd":"/a"`, `"command":"x"`, nil},
		{"asking that is switched off", `"command":"x","askFirst":true`, `"command":"x"`, nil},
		{"all variables of the app", `"command":"x"`, `"command":"x","inheritEnv":true`, nil},
		{"changes that are trusted", `"command":"x"`, `"command":"x","trustToolChanges":true`, nil},
		{"another program for the same secret", `"command":"a","env":{"TOKEN":"one-two-three"}`,
			`"command":"b","env":{"TOKEN":"one-two-three"}`, nil},
		{"another address for the same secret", `"url":"https://a.example","headers":{"Authorization":"Bearer one-two"}`,
			`"url":"https://b.example","headers":{"Authorization":"Bearer one-two"}`, nil},
		{"three lines", ``, `"command":"npx","args":["-y","server"]`, nil},
		{"three values", `"command":"x","env":{"A":"1","B":"1","C":"1"}`, `"command":"x","env":{"A":"2","B":"2","C":"2"}`,
			nil},
		{"a long line", `"command":"x","args":["a"]`, `"command":"x","args":["` + strings.Repeat("a", 120) + `"]`, nil},
		{"a warning", `"command":"x"`, `"command":"x","env":{"PATH":"/tmp"}`, nil},
		{"a warning about what stays", `"command":"docker","args":["run","--privileged","a:1"]`,
			`"command":"docker","args":["run","--privileged","a:2"]`, nil},
		{"code", `"command":"sh","args":["-c","a"]`, `"command":"sh","args":["-c","b"]`, nil},
		{"a note that is new", `"command":"x","args":["a"]`, `"command":"npx","args":["a"]`, nil},
		{"something of the user's", `"command":"x"`, `"command":"x","env":{"A":"${AWS_SECRET_ACCESS_KEY}"}`, nil},
		{"a character that nobody sees", `"command":"x","args":["a"]`, `"command":"x","args":["a\u202eb"]`, nil},
		{"a letter of another alphabet", `"command":"x","args":["fetch"]`, `"command":"x","args":["fet\u0441h"]`, nil},
		{"an arrow", `"command":"x","args":["a"]`, `"command":"x","args":["b → c"]`, nil},
		{"blanks", `"command":"x","args":["a b"]`, `"command":"x","args":["a  b"]`, nil},
		{"a name like a line", `"command":"x"`, `"command":"x","env":{"A: \"1\", B":"2"}`, nil},
		{"nothing", `"command":"x"`, `"command":"x"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := approval.Waiting{Toolbox: "dev", Server: server(t, document(`"s":{`+c.after+`}`)), Why: approval.Elsewhere}
			if c.before != "" {
				w.Old = server(t, document(`"s":{`+c.before+`}`))
			}
			var got []string
			for _, line := range changes.Brief(w) {
				got = append(got, mark.ReplaceAllString(line, "•••"))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, why := range []approval.Reason{approval.NewFile, approval.Returned, approval.NoRecord} {
				if w.Why = why; changes.Brief(w) != nil {
					t.Errorf("the change is brief although the reason %q must be shown", why)
				}
			}
		})
	}
}

var changedValue = regexp.MustCompile(`^([^:]+): (.*) → (.*)$`)

// FuzzBrief checks that Brief has all changed lines of the difference, and no others.
func FuzzBrief(f *testing.F) {
	f.Add("npx", "a", "b", "LEVEL", "1", "2")
	f.Add("x", "a: \"b\" → \"c\"", "", "A: B", "", "••• #abcd")
	f.Add("docker", "one\ntwo", "\u202e", "TOKEN", "one-two-three", "hunter2")
	f.Fuzz(func(t *testing.T, command, oldArg, newArg, name, oldValue, newValue string) {
		entry := func(arg, value string) *config.Server {
			return &config.Server{Transport: config.TransportStdio, Command: command, Args: []string{arg},
				Env: []config.Variable{{Name: name, Value: value}}}
		}
		w := approval.Waiting{Toolbox: "dev", Old: entry(oldArg, oldValue), Server: entry(newArg, newValue),
			Why: approval.Elsewhere}
		brief := changes.Brief(w)
		if brief == nil {
			return
		}
		var got, want []string
		for _, line := range brief {
			parts := changedValue.FindStringSubmatch(line)
			if parts == nil {
				t.Fatalf("%q does not show the old value", line)
			}
			got = append(got, "-"+parts[1]+": "+parts[2], "+"+parts[1]+": "+parts[3])
		}
		for line := range strings.Lines(changes.Difference(w)) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") ||
				line == "" || line[0] != '-' && line[0] != '+' {
				continue
			}
			want = append(want, line)
		}
		for _, list := range [][]string{got, want} {
			for i := range list {
				list[i] = mark.ReplaceAllString(list[i], "•••")
			}
			slices.Sort(list)
		}
		if !slices.Equal(got, want) {
			t.Errorf("brief is %q, the difference is %q", got, want)
		}
	})
}
