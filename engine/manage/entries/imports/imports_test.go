package imports

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// of returns the plan of an import from one app, in a home folder with one file.
func of(t testing.TB, id, name string, data []byte) Plan {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	system := clients.System{OS: "linux", Home: filepath.ToSlash(folder), Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	return Make(Options{System: system, Clients: []string{id}})
}

func reasons(plan Plan) string {
	var all []string
	for _, s := range plan.Skipped {
		all = append(all, s.Reason.String())
	}
	for _, note := range plan.Notes {
		all = append(all, note.String())
	}
	return strings.Join(all, "\n")
}

// TestTemplates: what the app asks for as {{NAME}} is to fill in, and the server is off until then.
func TestTemplates(t *testing.T) {
	plan := of(t, "cursor", ".cursor/mcp.json", []byte(`{"mcpServers": {
		"far": {"url": "https://far.example/mcp", "headers": {"Authorization": "Bearer {{FAR_TOKEN}}"}},
		"run": {"url": "https://run.example/mcp", "headers": {"A": "$(echo Bearer $RUN_TOKEN)"}},
		"near": {"command": "npx", "args": ["-y", "near", "{{folder}}"]},
		"docker": {"command": "docker-mcp", "args": ["ps --format {{Names}}", "{{.Names}}"]}}}`))
	for i, off := range []bool{true, true, true, false} {
		if f := plan.Servers[i]; f.Entry.Disabled != off || off != (len(f.ToFill) > 0) {
			t.Errorf("%s: off %v, to fill in %q, %q", f.As, f.Entry.Disabled, f.ToFill, f.Entry.Args)
		}
	}
}

func TestFilesThatAreNotRead(t *testing.T) {
	entry := `"a": {"command": "a"}`
	for name, test := range map[string]struct{ id, file, data, reason string }{
		"huge": {"cursor", ".cursor/mcp.json",
			`{"mcpServers": {` + entry + `}}` + strings.Repeat(" ", excerpt.MaxText), "more than 4 MB of it"},
		"huge TOML": {"codex", ".codex/config.toml",
			"[mcp_servers.a]\ncommand = \"a\"\n" + strings.Repeat("# x\n", excerpt.MaxText/4), "more than 4 MB of it"},
		"huge YAML": {"goose", ".config/goose/config.yaml",
			"extensions:\n  a:\n    cmd: a\n" + strings.Repeat("# x\n", excerpt.MaxText/4), "more than 4 MB of it"},
		"UTF-16": {"cursor", ".cursor/mcp.json", "\xff\xfe{\x00}\x00", "not UTF-8"},
		"aliases": {"goose", ".config/goose/config.yaml",
			"a: &a [x]\nb: [" + strings.Repeat("*a, ", 20) + "*a]\nextensions: {}\n", "more brackets or aliases"},
		"deep":      {"cursor", ".cursor/mcp.json", strings.Repeat(`{"a":`, 100_000), "cannot be read"},
		"deep YAML": {"goose", ".config/goose/config.yaml", strings.Repeat("[", 3000), "more brackets or aliases"},
		"many values": {"cursor", ".cursor/mcp.json",
			`{"x": [` + strings.Repeat("1,", jsonc.MaxValues) + `1], "mcpServers": {` + entry + `}}`,
			"more values than are read"},
		"a list": {"cursor", ".cursor/mcp.json", "[]", "does not hold the settings"},
		"many servers": {"cursor", ".cursor/mcp.json",
			`{"mcpServers": {` + strings.Repeat(`"x": 1, `, 1) + many(maxServers+1) + `}}`, "the first 500"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := of(t, test.id, test.file, []byte(test.data))
			if !strings.Contains(reasons(plan), test.reason) {
				t.Errorf("%d servers, and these reasons:\n%.500s", len(plan.Servers), reasons(plan))
			}
			if name != "many servers" && len(plan.Servers) > 0 {
				t.Error("servers were found")
			}
		})
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name := "s" + strings.Repeat("x", i%3) + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
		b.WriteString(`"` + name + `": {"command": "` + name + `"}`)
	}
	return b.String()
}

func TestFoldersAndWhatMayNotBeRead(t *testing.T) {
	folder, system := home(t, nil)
	if err := os.MkdirAll(filepath.Join(folder, ".cursor", "mcp.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	plan := Make(Options{System: system, Clients: []string{"cursor"}})
	if got := reasons(plan); got != "It is not a file." {
		t.Errorf("a folder: %q", got)
	}
	plan = Make(Options{System: system, File: filepath.Join(folder, "nothing.json")})
	if got := reasons(plan); got != noSuchFile.Error() {
		t.Errorf("no file: %q", got)
	}
	if os.Geteuid() <= 0 {
		return // this user may read everything, or Windows does not store permissions in the mode
	}
	path := filepath.Join(folder, "shut.json")
	if err := os.WriteFile(path, []byte("{}"), 0); err != nil {
		t.Fatal(err)
	}
	plan = Make(Options{System: system, File: path})
	if got := reasons(plan); !strings.Contains(got, "does not allow it") || strings.Contains(got, folder) {
		t.Errorf("a file without rights: %q", got)
	}
}

// TestBrokenFilesKeepTheirSecrets checks that no error of a parser repeats secrets from a text that it cannot
// read.
func TestBrokenFilesKeepTheirSecrets(t *testing.T) {
	const token = "ghp_madeupmadeupmadeupmadeupmadeup0000"
	for _, test := range []struct{ id, file, data string }{
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"a": {"env": {"T": "` + token + `" "X": 1}}}}`},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"a": {"env": {"T": ` + token + `}}}}`},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"` + token + `": {"command": 1}}}`},
		{"codex", ".codex/config.toml", "[mcp_servers.a.env]\nT = " + token + "\n"},
		{"codex", ".codex/config.toml", "[mcp_servers.a.env]\nT = \"" + token + "\nU = 1\n"},
		{"codex", ".codex/config.toml", "[mcp_servers.a]\n" + token + "\n"},
		{"codex", ".codex/config.toml", "[mcp_servers.a]\nx = 1\nx." + token + " = 2\n"},
		{"goose", ".config/goose/config.yaml", "extensions:\n  a:\n    envs:\n      T: \"" + token + "\n"},
		{"goose", ".config/goose/config.yaml", "extensions:\n  a:\n    envs: T: " + token + "\n"},
		{"goose", ".config/goose/config.yaml", "extensions:\n - a\n b: " + token + ": c\n"},
	} {
		plan := of(t, test.id, test.file, []byte(test.data))
		if len(plan.Skipped) == 0 {
			t.Errorf("%s is not reported as skipped", test.data)
		}
		if strings.Contains(reasons(plan), token) {
			t.Errorf("a secret is repeated: %s", reasons(plan))
		}
	}
}

func TestByteOrderMarkAndLineEnds(t *testing.T) {
	plan := of(t, "cursor", ".cursor/mcp.json",
		[]byte("\ufeff{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\"command\": \"a\"}\r\n\t}\r\n}\r\n"))
	if len(plan.Servers) != 1 || plan.Servers[0].As != "a" {
		t.Errorf("%+v", plan)
	}
}

func TestIsOurs(t *testing.T) {
	for _, test := range []struct {
		command string
		args    []string
		want    bool
	}{
		{"workbench-desktop", []string{"stdio"}, true},
		{"/usr/bin/workbench-desktop", []string{"stdio", "--client", "zed"}, true},
		{`C:\Program Files\Workbench\workbench-desktop.exe`, []string{"--config", "x", "stdio"}, true},
		{"/usr/bin/workbench-engine", []string{"stdio", "--client", "zed"}, true},
		{`C:\Program Files\Workbench\workbench-engine.exe`, []string{"stdio"}, true},
		{"/home/me/Workbench-Desktop-1.0-x86_64.AppImage", []string{"stdio"}, true},
		{"/home/me/Workbench.AppImage", []string{"stdio", "--client", "zed"}, true},
		{"flatpak", []string{"run", "io.github.workbench_mcp.WorkbenchDesktop", "stdio"}, true},
		{"flatpak", []string{"run", "org.example.Other", "stdio"}, false},
		{"workbench-desktop", []string{"status"}, false},
		{"my-workbench-desktop", []string{"stdio"}, false},
		{"npx", []string{"-y", "workbench-desktop", "stdio"}, false},
	} {
		s := &config.Server{Transport: config.TransportStdio, Command: test.command, Args: test.args}
		if got := isOurs(s); got != test.want {
			t.Errorf("%s %v: %v", test.command, test.args, got)
		}
	}
	if isOurs(&config.Server{Transport: config.TransportHTTP, URL: "https://workbench-desktop/stdio"}) {
		t.Error("a web address counts as our program")
	}
}

func TestConnectsAs(t *testing.T) {
	stdio := func(command string, args []string, env ...config.Variable) *config.Server {
		return &config.Server{Transport: config.TransportStdio, Command: command, Args: args, Env: env}
	}
	web := func(url string, headers ...config.Variable) *config.Server {
		return &config.Server{Transport: config.TransportHTTP, URL: url, Headers: headers}
	}
	a, b := config.Variable{Name: "A", Value: "1"}, config.Variable{Name: "B", Value: "2"}
	for name, test := range map[string]struct {
		x, y *config.Server
		want bool
	}{
		"order of variables": {stdio("x", nil, a, b), stdio("x", nil, b, a), true},
		"other value":        {stdio("x", nil, a), stdio("x", nil, config.Variable{Name: "A", Value: "2"}), false},
		"one variable more":  {stdio("x", nil, a), stdio("x", nil, a, b), false},
		"other case of name": {stdio("x", nil, a), stdio("x", nil, config.Variable{Name: "a", Value: "1"}), false},
		"ending of programs": {stdio("npx", nil), stdio("npx.CMD", nil), true},
		"other program":      {stdio("npx", nil), stdio("uvx", nil), false},
		"order of arguments": {stdio("x", []string{"1", "2"}), stdio("x", []string{"2", "1"}), false},
		"slash at the end":   {web("https://X.example.com/mcp/"), web("https://x.example.com/mcp"), true},
		"other case of path": {web("https://x.example.com/MCP"), web("https://x.example.com/mcp"), false},
		"other query":        {web("https://x.example.com/mcp?a=1"), web("https://x.example.com/mcp"), false},
		"case of header": {web("https://x/", config.Variable{Name: "X-Key", Value: "1"}),
			web("https://x", config.Variable{Name: "x-key", Value: "1"}), true},
		"a variable passed on": {stdio("x", nil, config.Variable{Name: "K", Value: "${K}"}), stdio("x", nil), true},
		"another passed on":    {stdio("x", nil, config.Variable{Name: "K", Value: "${L}"}), stdio("x", nil), false},
		"program and address":  {stdio("https://x", nil), web("https://x"), false},
	} {
		if got := connectsAs(test.x, test.y, equal); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		if got := connectsAs(test.y, test.x, equal); got != test.want {
			t.Errorf("%s, the other way: %v", name, got)
		}
	}
	kept := web("https://x", config.Variable{Name: "Authorization", Value: "Bearer ${keyring:x/Authorization}"})
	if plain := web("https://x", config.Variable{Name: "Authorization", Value: "Bearer abc"}); !connectsAs(plain, kept,
		equalOrKept) || connectsAs(plain, kept, equal) {
		t.Error("a secret in the keychain is not recognised")
	}
	if connectsAs(web("https://x", config.Variable{Name: "Authorization", Value: "Basic abc"}), kept, equalOrKept) {
		t.Error("a different text before the secret does not matter")
	}
}

// memory is a keychain that fails when it is full.
type memory struct {
	held map[string]string
	room int
}

func (m *memory) Get(name string) (string, error) {
	if value, ok := m.held[name]; ok {
		return value, nil
	}
	return "", keychain.ErrNone
}

func (m *memory) Set(name, value string) error {
	if m.room--; m.room < 0 {
		return errors.New("it is full")
	}
	m.held[name] = value
	return nil
}

func (m *memory) Delete(name string) error {
	delete(m.held, name)
	return nil
}

func secretive(t *testing.T) Plan {
	return of(t, "cursor", ".cursor/mcp.json", []byte(`{"mcpServers": {
		"one": {"command": "one", "env": {"TOKEN": "made-up-one", "LEVEL": "debug"}},
		"two": {"url": "https://two.example.com/mcp", "headers": {"Authorization": "Bearer made-up-two"}},
		"three": {"command": "three", "args": ["postgres://me:made-up-three@db/main"]}
	}}`))
}

func TestKeep(t *testing.T) {
	plan := secretive(t)
	keychain := &memory{map[string]string{"one/TOKEN": "of somebody else", "two/Authorization": "made-up-two"}, 100}
	undo, err := plan.Keep(keychain)
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for i := range plan.Servers {
		entries = append(entries, string(plan.Servers[i].MarshalEntry()))
	}
	want := `{"command":"one","env":{"TOKEN":"${keyring:one/TOKEN-2}","LEVEL":"debug"}}
{"url":"https://two.example.com/mcp","headers":{"Authorization":"Bearer ${keyring:two/Authorization}"}}
{"command":"three","args":["postgres://me:${keyring:three/secret}@db/main"]}`
	if got := strings.Join(entries, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if keychain.held["one/TOKEN-2"] != "made-up-one" || keychain.held["one/TOKEN"] != "of somebody else" ||
		keychain.held["three/secret"] != "made-up-three" {
		t.Errorf("the keychain has %v", keychain.held)
	}
	if applied, err := edit.Apply([]byte(`{"toolboxes":{}}`), plan.Ops()...); err != nil ||
		strings.Contains(string(applied), "made-up") {
		t.Errorf("%v: %s", err, applied)
	}
	if err := undo(); err != nil || len(keychain.held) != 2 || keychain.held["two/Authorization"] == "" {
		t.Errorf("after undoing the keychain has %v (%v)", keychain.held, err)
	}
}

// TestKeepReplacesWhereItWasFound checks that nothing of a secret stays, even if another part of its value
// was replaced before.
func TestKeepReplacesWhereItWasFound(t *testing.T) {
	plan := of(t, "vscode", ".config/Code/User/mcp.json",
		[]byte(`{"inputs": [{"id": "h", "type": "promptString"}], "servers": {
		"word": {"command": "one", "args": ["--pass=pass"]},
		"twice": {"url": "https://${input:h}/ab?x=ab&token=ab&key=ab"}
	}}`))
	keychain := &memory{map[string]string{}, 100}
	if _, err := plan.Keep(keychain); err != nil || len(plan.Servers) != 2 {
		t.Fatal(plan.Servers, err)
	}
	word, twice := plan.Servers[0].Entry, plan.Servers[1].Entry
	if got := word.Args[0]; got != "--pass=${keyring:word/pass}" {
		t.Error(got)
	}
	if want := "https://<h>/ab?x=ab&token=${keyring:twice/address}&key=${keyring:twice/address}"; twice.URL != want {
		t.Errorf("%s, not %s", twice.URL, want)
	}
}

func TestKeepFails(t *testing.T) {
	plan := secretive(t)
	before := string(plan.Servers[0].MarshalEntry())
	keychain := &memory{map[string]string{}, 1}
	_, err := plan.Keep(keychain)
	if err == nil || !strings.Contains(err.Error(), "it is full") || strings.Contains(err.Error(), "made-up") {
		t.Errorf("%v", err)
	}
	if len(keychain.held) > 0 {
		t.Errorf("the keychain has %v", keychain.held)
	}
	if got := string(plan.Servers[0].MarshalEntry()); got != before {
		t.Errorf("the plan was changed: %s", got)
	}
}

// TestReadsOnly checks that the files of the apps are not changed.
func TestReadsOnly(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/several.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := split(archive.Files)
	folder, system := home(t, files)
	before := tree(t, folder)
	plan := Make(Options{System: system, Clients: Present(system), Projects: true})
	if _, err := plan.Keep(&memory{map[string]string{}, 100}); err != nil {
		t.Fatal(err)
	}
	if after := tree(t, folder); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func tree(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		info, infoErr := entry.Info()
		if err := errors.Join(err, infoErr); err != nil {
			return err
		}
		b.WriteString(path + " " + info.ModTime().String() + "\n" + string(data) + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestIDsAndNames(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range IDs() {
		if seen[id] || Name(id) == id && id != "opencode" {
			t.Errorf("%s is there twice, or has no name", id)
		}
		seen[id] = true
	}
	for _, id := range client.IDs() {
		if !seen[id] {
			t.Errorf("%s is missing", id)
		}
	}
}

// FuzzMake checks for any file that there is no panic, that the plan can be carried out, and that no secret
// is shown.
func FuzzMake(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		files, _ := split(archive.Files)
		for _, file := range files {
			kind := byte(0)
			switch filepath.Ext(file.Name) {
			case ".toml":
				kind = 1
			case ".yaml":
				kind = 2
			}
			f.Add(kind, file.Data)
		}
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		path := filepath.Join(folder, "file"+[]string{".json", ".toml", ".yaml"}[kind%3])
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		plan := Make(Options{System: clients.System{OS: "linux", Stat: os.Stat, ReadDir: os.ReadDir}, File: path})
		shown, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range plan.Servers {
			for _, s := range f.Secrets {
				if strings.HasPrefix(s.Text, "made-up-") && strings.Contains(string(shown), s.Text) &&
					strings.Count(string(data), s.Text) == 1 {
					t.Errorf("the secret %s is shown: %s", s.Text, shown)
				}
			}
		}
		applied, err := edit.Apply([]byte(`{"toolboxes": {}}`), plan.Ops()...)
		if err != nil {
			t.Fatalf("the plan cannot be carried out: %v\n%s", err, shown)
		}
		if document := config.Parse("", applied); !document.Valid() {
			t.Fatalf("the result is not valid: %v\n%s", document.Errors(), applied)
		}
	})
}
