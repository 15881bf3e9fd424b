package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// program makes an empty program in a folder and returns its path.
func program(t *testing.T, folder, name string) string {
	t.Helper()
	must(t, os.MkdirAll(folder, 0o755))
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, nil, 0o755))
	return path
}

// TestProgramsThatExist checks that a program that exists is never a command line, whatever its path contains, and
// that nothing of it is "fixed".
func TestProgramsThatExist(t *testing.T) {
	for _, name := range []string{"My Work - Notes", "a --b @c", "npx -y (x)", "100% [new]", "A=b c", "it's"} {
		path := program(t, filepath.Join(t.TempDir(), name), "mcp -server")
		document := Parse("", inEntry(`"command": `+jsonc.Quote(path)))
		for _, d := range append(document.Diagnostics, document.CheckEnvironment(Lookup{})...) {
			t.Errorf("%s: %s", path, d.Format(""))
		}
		if fixed := FixAll("", document.Source); len(fixed.Applied) > 0 {
			t.Errorf("%s became %s", path, fixed.Source)
		}
	}
	for _, windows := range []string{`E:\GoogleDrive\_Work - Notes\Vault\mcp-server.exe`,
		`C:\Program Files (x86)\a -b\x.exe`, `\\server\My Share\x.exe`, `My Work - Notes\x.exe`} {
		if d := Parse("", inEntry(`"command": `+jsonc.Quote(windows))).Diagnostics; len(d) > 0 {
			t.Errorf("%s: %s", windows, d[0].Format(""))
		}
	}
}

// TestCommandLines tries commands that are none, and what they become.
func TestCommandLines(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "My Work")
	path := program(t, folder, "srv")
	bin := t.TempDir()
	program(t, bin, "known-server")
	lookup := Lookup{Env: func(name string) (string, bool) { return bin, name == "PATH" }}
	for entry, want := range map[string]string{
		`"command": ` + jsonc.Quote(path+" --port 80"): `"command": ` + jsonc.Quote(path) + `, "args": ["--port", "80"]`,
		`"command": "known-server x y"`:                `"command": "known-server", "args": ["x", "y"]`,
		`"command": "known-server x", "args": ["y"]`:   `"command": "known-server", "args": ["x", "y"]`,
		`"command": "unknown-server --port 80"`:        `"command": "unknown-server", "args": ["--port", "80"]`,
		`"command": "/no/such/srv --port 80"`:          `"command": "/no/such/srv", "args": ["--port", "80"]`,
		`"command": "/no/my tools/srv.sh --port 80"`:   `"command": "/no/my tools/srv.sh", "args": ["--port", "80"]`,
	} {
		document := Parse("", inEntry(entry))
		found := document.CheckEnvironment(lookup)
		if len(document.Diagnostics) > 0 || len(found) != 1 || found[0].Code != "command-line-in-command" ||
			found[0].Fix == nil {
			t.Errorf("%s: %v %v", entry, document.Diagnostics, found)
			continue
		}
		if fixed := FixHere(document, found); string(fixed) != string(inEntry(want)) {
			t.Errorf("%s became %s", entry, fixed)
		}
	}
	for entry, want := range map[string]string{
		`"command": "TOKEN=abc X='a b' npx -y y", "args": ["z"]`: `"env": {"TOKEN": "abc", "X": "a b"}, "command": "npx", "args": ["-y", "y", "z"]`,
		`"command": "TOKEN=abc", "args": ["npx", "-y"]`:          `"env": {"TOKEN": "abc"}, "command": "npx", "args": ["-y"]`,
		`"command": "A=\"b c\" /opt/x/srv", "env": {"C": "d"}`:   `"command": "/opt/x/srv", "env": {"A": "b c", "C": "d"}`,
		// which one counts is not clear
		`"command": "A=b srv", "env": {"A": "c"}`: `"command": "A=b srv", "env": {"A": "c"}`,
		`"command": "env A=b npx -y x"`:           `"command": "env", "args": ["A=b", "npx", "-y", "x"]`,
	} {
		if fixed := FixAll("", inEntry(entry)); string(fixed.Source) != string(inEntry(want)) {
			t.Errorf("%s became %s", entry, fixed.Source)
		}
	}
}

// TestNameAlone checks that a path of a version manager's dead shell says where the program is now.
func TestNameAlone(t *testing.T) {
	bin := t.TempDir()
	path := program(t, bin, "npx")
	lookup := Lookup{Env: func(name string) (string, bool) { return bin, name == "PATH" }}
	for _, gone := range []string{"/run/user/1000/fnm_multishells/32996_1746258653075/bin/npx",
		"/home/me/.nvm/versions/node/v18.0.0/bin/npx", "/home/me/.local/share/mise/installs/node/1/bin/npx"} {
		gone = filepath.Join(filepath.Dir(gone), filepath.Base(path))
		document := Parse("", inEntry(`"command": `+jsonc.Quote(gone)+`, "args": ["-y", "x"]`))
		found := document.CheckEnvironment(lookup)
		if len(found) != 1 || found[0].Code != ProgramNotFound || found[0].Fix == nil || !found[0].Fix.Alone {
			t.Errorf("%s: %v", gone, found)
			continue
		}
		if hint := found[0].Hint.String(); !strings.Contains(hint, `"`+filepath.Base(path)+`" alone`) ||
			!strings.Contains(hint, filepath.Base(bin)) {
			t.Errorf("%s: %s", gone, hint)
		}
	}
}

// TestSecretInArguments checks that a secret which is written out in the arguments is a warning, like a reference to
// one.
func TestSecretInArguments(t *testing.T) {
	for args, want := range map[string]bool{`"--api-key", "made-up-4711"`: true, `"--api-key", "${keyring:a}"`: true,
		`"--api-key", "${A}"`: false, `"--port", "4711"`: false} {
		found := false
		for _, d := range Parse("", []byte(`{"toolboxes": {"a": {"mcpServers": {"b": {"command": "x", "args": [`+args+
			`]}}}}}`)).Diagnostics {
			found = found || d.Code == secretInArguments.Code
		}
		if found != want {
			t.Errorf("%s is a warning: %t", args, found)
		}
	}
}
