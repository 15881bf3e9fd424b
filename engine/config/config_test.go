package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func seconds(s float64) *time.Duration {
	d := time.Duration(s * float64(time.Second))
	return &d
}

func TestParseConfig(t *testing.T) {
	document := Parse("config", []byte(`{
		"toolMode": "dynamic", "metaToolPrefix": "workbench_", "extra": [1],
		"toolboxes": {
			"zeta": {"description": "Z \u00e9", "mcpServers": {
				"two": {"command": "npx", "args": [], "env": {"B": "1", "A": "2"}, "cwd": "/x", "toolFilters": [], "disabled": true, "startupTimeout": 0, "callTimeout": 1.5},
				"one": {"url": "http://x/mcp", "headers": {"A": "${B}"}, "toolFilters": ["*"]},
			}},
			"alpha": {"mcpServers": {"s": {"type": "streamableHttp", "url": "https://x"}, "t": {"transport": "sse", "url": "https://x"}}},
		},
	}`))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	want := &Config{ToolMode: ModeDynamic, MetaToolPrefix: "workbench_", Toolboxes: []*Toolbox{
		{Name: "zeta", Description: "Z é", Servers: []*Server{
			{Name: "two", Transport: TransportStdio, Command: "npx", Args: []string{}, Env: []Variable{{"B", "1"}, {"A", "2"}},
				Cwd:         "/x",
				ToolFilters: []string{}, Disabled: true, StartupTimeout: seconds(0), CallTimeout: seconds(1.5)},
			{Name: "one", Transport: TransportHTTP, URL: "http://x/mcp", Headers: []Variable{{"A", "${B}"}},
				ToolFilters: []string{"*"}},
		}},
		{Name: "alpha", Servers: []*Server{
			{Name: "s", Transport: TransportHTTP, URL: "https://x"},
			{Name: "t", Transport: TransportSSE, URL: "https://x"},
		}},
	}}
	if diff := cmp.Diff(want, document.Config); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	zeta, ok := document.Config.Toolbox("zeta")
	if !ok || len(zeta.Enabled()) != 1 || zeta.Enabled()[0].Name != "one" {
		t.Errorf("enabled are %+v", zeta.Enabled())
	}
	if _, ok := document.Config.Toolbox("Zeta"); ok {
		t.Error("names are not exact")
	}
	if server, ok := zeta.Server("two"); !ok || server.Name != "two" {
		t.Error("a disabled server is not found")
	}
}

func TestAllows(t *testing.T) {
	for _, test := range []struct {
		filters []string
		tool    string
		want    bool
	}{
		{nil, "a", true},
		{[]string{}, "a", false},
		{[]string{"*"}, "a", true},
		{[]string{"b", "*"}, "a", true},
		{[]string{"a", "b"}, "b", true},
		{[]string{"a", "b"}, "c", false},
		{[]string{"A"}, "a", false},
		{[]string{"a*"}, "ab", false},
	} {
		if got := (&Server{ToolFilters: test.filters}).Allows(test.tool); got != test.want {
			t.Errorf("%q with %q: %v", test.tool, test.filters, got)
		}
	}
}

func TestEqual(t *testing.T) {
	base := func() *Server {
		return &Server{Name: "n", Transport: TransportStdio, Command: "c", Args: []string{"a"},
			Env: []Variable{{"A", "1"}, {"B", "2"}}, Cwd: "w",
			URL: "u", Headers: []Variable{{"H", "1"}}, ToolFilters: []string{"t"}, StartupTimeout: seconds(1),
			CallTimeout: seconds(2)}
	}
	for name, change := range map[string]func(*Server){
		"nothing":         func(*Server) {},
		"order of env":    func(s *Server) { s.Env[0], s.Env[1] = s.Env[1], s.Env[0] },
		"name":            func(s *Server) { s.Name = "x" },
		"transport":       func(s *Server) { s.Transport = TransportSSE },
		"command":         func(s *Server) { s.Command = "x" },
		"args":            func(s *Server) { s.Args = append(s.Args, "b") },
		"env value":       func(s *Server) { s.Env[0].Value = "x" },
		"env name":        func(s *Server) { s.Env[0].Name = "x" },
		"env twice":       func(s *Server) { s.Env[1] = s.Env[0] },
		"cwd":             func(s *Server) { s.Cwd = "" },
		"url":             func(s *Server) { s.URL = "x" },
		"headers":         func(s *Server) { s.Headers = nil },
		"oauth":           func(s *Server) { s.OAuth = &OAuth{ClientID: "x"} },
		"filters":         func(s *Server) { s.ToolFilters = []string{} },
		"disabled":        func(s *Server) { s.Disabled = true },
		"startup timeout": func(s *Server) { s.StartupTimeout = nil },
		"call timeout":    func(s *Server) { s.CallTimeout = seconds(3) },
	} {
		changed := base()
		change(changed)
		want := name == "nothing" || name == "order of env"
		if base().Equal(changed) != want || changed.Equal(base()) != want {
			t.Errorf("%s: Equal is not %v", name, want)
		}
	}
	none, empty := base(), base()
	none.ToolFilters, empty.ToolFilters = nil, []string{}
	if none.Equal(empty) || empty.Equal(none) {
		t.Error("all tools and none are the same")
	}
	if base().Equal(nil) || (*Server)(nil).Equal(base()) || !(*Server)(nil).Equal(nil) {
		t.Error("Equal does not distinguish nil from an entry")
	}
}

func TestCheckEnvironment(t *testing.T) {
	folder := t.TempDir()
	program, name := filepath.Join(folder, "present"), "present"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	must(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700))
	write(t, filepath.Join(folder, "data"), "")
	source := `{"toolboxes": {"dev": {"mcpServers": {
  "good": {"command": "present", "args": ["${SET}", "${UNSET:-x}", "$${UNSET}", "${keyring:none}"], "cwd": "${FOLDER}"},
  "unset": {"command": "present", "args": ["\u00e9 ${SET} ${UNSET}", "${ALSO}"], "env": {"command": "${UNSET}"}},
  "missing": {"command": "absent"},
  "path": {"command": "${FOLDER}/absent", "cwd": "${FOLDER}/data"},
  "unknown": {"command": "${UNSET}/x"},
  "folder": {"command": "${FOLDER}", "cwd": "${FOLDER}/none"},
  "own path": {"command": "present", "env": {"PATH": "/nowhere"}},
  "off": {"command": "absent", "args": ["${UNSET}"], "disabled": true},
  "remote": {"url": "${UNSET}", "headers": {"X": "${SET}"}},
  "later": {"url": "https://example.com/mcp"}
}}}}`
	document := Parse("config", []byte(source))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	lookup := Lookup{Env: func(variable string) (string, bool) {
		value, ok := map[string]string{"SET": "hunter2", "FOLDER": folder, "PATH": folder, "PATHEXT": ".EXE"}[variable]
		return value, ok
	}}
	found := document.CheckEnvironment(lookup)
	checkPlaces(t, document.Source, found)
	var got []string
	for _, d := range found {
		if d.Severity != SeverityWarning {
			t.Errorf("%+v is not a warning", d)
		}
		if strings.Contains(d.Format("config"), "hunter2") || strings.Contains(d.Format("config"), folder) {
			t.Errorf("%+v contains a value", d)
		}
		got = append(got, strings.TrimPrefix(d.Path, "toolboxes.dev.mcpServers")+" "+source[d.Start:d.End]+" "+
			d.Message.String())
	}
	want := []string{
		`.unset.args[0] ${UNSET} the environment variable UNSET is not set, so this server cannot start`,
		`.unset.args[1] ${ALSO} the environment variable ALSO is not set, so this server cannot start`,
		`.unset.env.command ${UNSET} the environment variable UNSET is not set, so this server cannot start`,
		`.missing.command "absent" the program "absent" was not found on this computer`,
		`.path.command "${FOLDER}/absent" the program "${FOLDER}/absent" was not found on this computer`,
		`.path.cwd "${FOLDER}/data" "${FOLDER}/data" is not a folder`,
		`.unknown.command ${UNSET} the environment variable UNSET is not set, so this server cannot start`,
		`.folder.command "${FOLDER}" "${FOLDER}" is there but is not a program that can be run`,
		`.folder.cwd "${FOLDER}/none" the folder "${FOLDER}/none" was not found on this computer`,
		`["own path"].command "present" the program "present" was not found on this computer`,
		`.remote.url ${UNSET} the environment variable UNSET is not set, so this server cannot start`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestNearestProgram: for a misspelt name of a well-known program, the fix writes the right name. A
// well-known program that is not installed is not replaced by another.
func TestNearestProgram(t *testing.T) {
	lookup := Lookup{Env: func(string) (string, bool) { return t.TempDir(), true }}
	for command, want := range map[string]string{
		"npxx": "npx", "nxp": "npx", "Pyhton": "python", "dokcer": "docker",
		"npx": "", "uv": "", "npx.cmd": "", "ux": "", "./npxx": "", "my-server": "",
	} {
		document := Parse("config", []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "`+command+`"}}}}}`))
		found := document.CheckEnvironment(lookup)
		if len(found) != 1 || found[0].Code != ProgramNotFound {
			t.Errorf("%s: %+v", command, found)
			continue
		}
		switch fix := found[0].Fix; {
		case want == "" && fix != nil:
			t.Errorf("%s: the fix names another program: %+v", command, fix)
		case want != "" && (fix == nil || fix.Title.String() != "Use "+quote(want) || fix.Changes[0].New != quote(want)):
			t.Errorf("%s: the fix is %+v, and not %s", command, fix, want)
		}
	}
}

func TestDiagnosticJSON(t *testing.T) {
	document := Parse("config", []byte("{\"toolboxes\": {},\n \"x\": \"\u00e9\", \"y\": 1}"))
	out, err := json.Marshal(document.Diagnostics)
	must(t, err)
	want := `[{"code":"unknown-field","severity":"warning","path":"x","start":19,"end":22,"line":2,"column":2,"message":"unknown key \"x\"","hint":"it is kept, but does nothing here"},` +
		`{"code":"unknown-field","severity":"warning","path":"y","start":30,"end":33,"line":2,"column":12,"message":"unknown key \"y\"","hint":"it is kept, but does nothing here"}]`
	if string(out) != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
}

func TestServerPath(t *testing.T) {
	for _, test := range []struct{ toolbox, server, want string }{
		{"dev", "my-server_2", "toolboxes.dev.mcpServers.my-server_2"},
		{"my box", `say "hi"`, `toolboxes["my box"].mcpServers["say \"hi\""]`},
		{"2", "a.b", `toolboxes["2"].mcpServers["a.b"]`},
		{"é", "\x1b\u202e", `toolboxes["é"].mcpServers["\u001b\u202e"]`},
	} {
		if got := ServerPath(test.toolbox, test.server); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestMeant(t *testing.T) {
	for _, test := range []struct{ word, want string }{
		{"arg", "args"}, {"agrs", "args"}, {"ARGS", "args"}, {"commnad", "command"}, {"comandd", "command"}, {"x", ""},
		{"urls", "url"}, {"something", ""},
		{"toolfilter", "toolFilters"}, {"ur", "url"}, {"disable", "disabled"}, {"", ""}, {"Environment", "env"},
	} {
		got := ""
		if f := meant(serverFields, test.word); f != nil {
			got = f.Name
		}
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}
