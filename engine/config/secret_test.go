package config

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// planted values must never be shown, whatever is wrong around them.
const (
	plantedText  = "hunter2Xv7"
	plantedToken = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
)

// secretDocuments returns documents with the planted secrets and a mistake in every place.
func secretDocuments() []string {
	var documents []string
	add := func(format string, arguments ...any) {
		documents = append(documents, fmt.Sprintf(format, arguments...))
	}
	in := func(entry string) string { return `{"toolboxes": {"dev": {"mcpServers": {"a": {` + entry + `}}}}}` }
	for _, value := range []string{plantedText, plantedToken} {
		for _, key := range []string{"API_KEY", "password", "github-token", "Authorization"} {
			for _, field := range []string{"env", "headers"} {
				// Every way to write the value wrong.
				for _, written := range []string{
					`%s`, `'%s'`, `“%s”`, "`%s`", `"%s`, `%s"`, `"%s\q"`, `"%s"x"`, `["%s"]`, `{"x": "%s"}`, `"%s",,`, `"%s" "y"`,
					`"y" %s`, `"y" "%s"`, `"${%s"`, `"${A:-%s${B}"`,
					`"${A-%s}"`, `"${input:A} %s"`, `"%s\u0000"`, `"%s\n"`, "\"%s\t\"", `00%s`, `+%s`, `%s: 1`, `"x": "%s"`, `= "%s"`,
					`; "%s"`, `"x", "%s"`, `"x", %s`, `"C:\%s"`, `Bearer %s`,
					`, "%s"`, `; "%s"`, `{ "%s"}`, `"a", "%s"`, `"%s" // %s`,
				} {
					written = strings.ReplaceAll(written, "%s", value)
					add("%s", in(fmt.Sprintf(`"command": "x", %q: {%q: %s}`, field, key, written)))
					add("%s", in(fmt.Sprintf(`"url": "https://x.y", %q: {%q: %s, "B": 1}`, field, key, written)))
					add("%s", in(fmt.Sprintf(`'command': 'x', %q: {'%s': %s}`, field, key, written)))
					add("{\"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": \"x\"\n%q: {%q: %s}\n}}}}}", field, key,
						written)
				}
				add("%s", in(fmt.Sprintf(`"command": "x", %q: [%q]`, field, key+"="+value)))
				add("%s", in(fmt.Sprintf(`"command": "x", %q: %q`, field, key+"="+value)))
				add("%s", in(fmt.Sprintf(`"command": "x", %q: {%q: "y"}`, field, key+"="+value)))
				add(`{"mcpServers": {"a": {"command": "x", %q: {%q: %q}}}}`, field, key, value)
				add(`{"servers": {"a": {"type": "local", "command": ["x", 5], "environment": {%q: %q, %q: %q}}}}`, key, value, key,
					value+"!")
			}
			add("%s", in(fmt.Sprintf(`"command": %q`, "npx -y package --"+key+"="+value)))
			add("%s", in(fmt.Sprintf(`"command": %q`, "npx -y package --"+key+" "+value)))
			add("%s", in(fmt.Sprintf(`"command": %q`, key+"="+value+" npx")))
			add("%s", in(fmt.Sprintf(`"command": %q`, "/bin/"+key+"="+value)))
			add("%s", in(fmt.Sprintf(`"command": "x", "args": %q`, "--"+key+"="+value)))
			add("%s", in(fmt.Sprintf(`"command": "x", "args": ["--%s", 'y', "%s", ]]`, key, value)))
			add("%s", in(fmt.Sprintf(`"url": "ftp://user:%s@x.y/?%s=%s"`, value, key, value)))
			add("%s", in(fmt.Sprintf(`"url": "x.y/?%s=%s "`, key, value)))
			add("%s", in(fmt.Sprintf(`%q: %q, "command": "x"`, key, value)))
			add("%s", in(fmt.Sprintf(`%q: %s, "command": "x"`, key, value)))
		}
		add(`{"toolMode": %q, "toolboxes": {}}`, plantedToken)
		add(`{"metaToolPrefix": %q, "toolboxes": {}}`, plantedToken+".")
		add("%s", in(fmt.Sprintf(`"type": %q, "url": "https://x.y"`, plantedToken)))
		add("%s", in(fmt.Sprintf(`"command": %q, "cwd": %q`, plantedToken, "/"+plantedToken)))
		add("%s", in(fmt.Sprintf(`"command": "x", "toolFilters": [%q, %q]`, plantedToken, plantedToken)))
	}
	return documents
}

// TestSecrets checks that no diagnostic and no fix contains a planted secret.
func TestSecrets(t *testing.T) {
	documents := secretDocuments()
	said := 0
	leaks := 0
	check := func(source string, diagnostics []Diagnostic) {
		for _, d := range diagnostics {
			said++
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			for _, planted := range []string{plantedText, plantedToken, plantedToken[4:20]} {
				if leaks < 20 && strings.Contains(string(text), planted) {
					leaks++
					t.Errorf("%s\nsays %s", source, text)
				}
			}
		}
	}
	nothing := func(string, string) ([]string, bool) { return []string{"one"}, true }
	for _, source := range documents {
		document := Parse("config", []byte(source))
		check(source, document.Diagnostics)
		check(source, document.CheckEnvironment(Lookup{}))
		check(source, document.CheckTools(nothing))
		check(source, FixAll("config", []byte(source)).Applied)
	}
	if said < len(documents) {
		t.Errorf("only %d diagnostics of %d documents", said, len(documents))
	}
}

// damaged is an entry with a secret in "env" and in "headers"; %s is its place.
const damaged = `{"toolboxes": {"dev": {"mcpServers": {"a": {
  "command": "x",
  "env": {"API_TOKEN": "%s", "B": "1"},
  "headers": {
    "Authorization": "Bearer %s"
  },
  "args": ["y"]
}}}}}
`

// checkDamaged replaces a few bytes of the damaged entry, and checks that neither diagnostics nor fixes
// contain the secret, also after all fixes were applied.
func checkDamaged(t *testing.T, planted string, at, cut int, with string) {
	t.Helper()
	source := strings.ReplaceAll(damaged, "%s", planted)
	from, to := strings.Index(source, `"env"`), strings.Index(source, `"args"`)
	at = from + at%(to-from)
	source = source[:at] + with + source[min(at+cut, to):]
	fixed := FixAll("config", []byte(source))
	all := slices.Concat(Parse("config", []byte(source)).Diagnostics, fixed.Applied,
		Parse("config", fixed.Source).Diagnostics)
	for _, d := range all {
		text := d.Format("config")
		if d.Fix != nil {
			text += fmt.Sprint("\n", d.Fix.Title, d.Fix.Changes)
		}
		if strings.Contains(text, planted) {
			t.Errorf("%s\nsays %s", source, text)
		}
	}
}

// damages are mistakes that people and programs make.
var damages = []string{"", `"`, "'", ",", ":", "{", "}", "[", "]", `\`, "=", ";", " ", "\n", "x", "/", "#", "$", "“",
	"(", "1"}

func TestSecretsOfDamagedVariables(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		planted := []string{plantedText, plantedToken, "s3cr3t-Xq.7/v+Z=="}[random.IntN(3)]
		checkDamaged(t, planted, random.IntN(1<<16), random.IntN(2), damages[random.IntN(len(damages))])
	}
}

func FuzzSecretsOfDamagedVariables(f *testing.F) {
	for i, with := range damages {
		f.Add(uint16(i), i%2 == 0, with)
	}
	f.Fuzz(func(t *testing.T, at uint16, replace bool, with string) {
		if utf8.RuneCountInString(with) > 1 {
			return // the planted text may be recognised as something other than a name
		}
		cut := 0
		if replace {
			cut = 1
		}
		checkDamaged(t, plantedText, int(at), cut, with)
	})
}

func TestCheckTools(t *testing.T) {
	const source = "\ufeff" + `{"toolboxes": {"dev": {"mcpServers": {
  "files": {"command": "x", "toolFilters": ["read_file", "raed_file", "other", "write_fil", "*", ""]},
  "none": {"command": "x", "toolFilters": ["a"]},
  "unknown": {"command": "x", "toolFilters": ["a"]},
  "all": {"command": "x"}
}}}}`
	document := Parse("config", []byte(source))
	got := document.CheckTools(func(toolbox, server string) ([]string, bool) {
		if toolbox != "dev" {
			t.Errorf("asked for toolbox %q", toolbox)
		}
		return map[string][]string{"files": {"read_file", "write_file", "x"}}[server], server != "unknown"
	})
	checkPlaces(t, document.Source, got)
	want := []string{
		`config:2:58: warning: the server "files" has no tool "raed_file" (at toolboxes.dev.mcpServers.files.toolFilters[1])` + "\n    hint: did you mean \"read_file\"?",
		`config:2:71: warning: the server "files" has no tool "other" (at toolboxes.dev.mcpServers.files.toolFilters[2])` +
			"\n    hint: its tools are \"read_file\", \"write_file\", \"x\"",
		`config:2:80: warning: the server "files" has no tool "write_fil" (at toolboxes.dev.mcpServers.files.toolFilters[3])` + "\n    hint: did you mean \"write_file\"?",
		`config:3:44: warning: the server "none" has no tool "a" (at toolboxes.dev.mcpServers.none.toolFilters[0])` +
			"\n    hint: it has no tools at all",
	}
	if len(got) != len(want) {
		t.Fatalf("%d warnings: %+v", len(got), got)
	}
	for i, d := range got {
		if d.Format("config") != want[i] {
			t.Errorf("got  %s\nwant %s", d.Format("config"), want[i])
		}
	}
	if got[0].Fix != nil { // "read_file" is there already
		t.Errorf("%+v is of no use", got[0].Fix)
	}
	fixed, err := ApplyChanges(document.Source, got[2].Fix.Changes)
	if err != nil || !strings.Contains(string(fixed), `"other", "write_file", "*"`) {
		t.Errorf("%v: %s", err, fixed)
	}
}

// TestLongNames warns when dynamic mode leaves little room for the names of tools.
func TestLongNames(t *testing.T) {
	for mode, want := range map[string]int{"": 1, `"toolMode": "dynamic", `: 1, `"toolMode": "proxy", `: 0} {
		document := Parse("config", []byte(`{`+mode+
			`"toolboxes": {"development-tools": {"mcpServers": {"short": {"command": "x"}, "a-rather-long-name": {"command": "x"}}}}}`))
		found := 0
		for _, d := range document.Diagnostics {
			if strings.Contains(d.Message.String(), `the server "a-rather-long-name" are long`) &&
				d.Path == ServerPath("development-tools", "a-rather-long-name") {
				found++
			}
		}
		if found != want || len(document.Diagnostics) != want {
			t.Errorf("%s: %+v", mode, document.Diagnostics)
		}
	}
	// Of 44 characters, the names and separators leave 12 for a tool in the first case, and 11 in the second.
	for length, want := range map[int]int{25: 0, 26: 1} {
		document := Parse("config", []byte(`{"toolboxes": {"dev": {"mcpServers": {"`+strings.Repeat("s", length)+
			`": {"command": "x"}}}}}`))
		if len(document.Diagnostics) != want {
			t.Errorf("a name of %d characters: %+v", length, document.Diagnostics)
		}
	}
}
