package pool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// root is the folder above all others, which is below none for temporary files.
func root() string { return filepath.VolumeName(os.TempDir()) + string(filepath.Separator) }

// withPath returns an environment with folders in front of PATH.
func withPath(environ []string, folders ...string) []string {
	environ = slices.Clone(environ)
	for i, entry := range environ {
		if name, path, _ := strings.Cut(entry, "="); inOneCase(name) == "PATH" {
			environ[i] = name + "=" + strings.Join(append(folders, path), string(filepath.ListSeparator))
		}
	}
	return environ
}

// TestCommonPath: a folder that only one app has is left out, unless the server would be another program without it.
func TestCommonPath(t *testing.T) {
	of := func(folders ...string) string { return strings.Join(folders, string(filepath.ListSeparator)) }
	root := root()
	usual, own, run := filepath.Join(root, "usr", "bin"), filepath.Join(root, "opt", "bin"), filepath.Join(root, "run1", "x")
	agent := filepath.Join(root, "home", "me", ".codex", "tmp", "arg0-linux", "codex-arg0y1dypj")
	for given, want := range map[string]string{
		of(usual, own):                                 of(usual, own),
		of(agent, usual, own, usual):                   of(usual, own),
		of(run, usual, "relative", ""):                 of(usual),
		of(filepath.Join(run, "y"), usual+"/"):         of(usual),
		of(filepath.Join(root, "run10", "x"), usual):   of(filepath.Join(root, "run10", "x"), usual),
		of(filepath.Join(root, "a", "node_modules")):   "",
		of(filepath.Join(root, "nodes", "tmpl"), own):  of(filepath.Join(root, "nodes", "tmpl"), own),
		of(filepath.Join(root, "C", "globalStorage")):  "",
		of(filepath.Join(root, "x", "Temp", "z"), own): of(own),
	} {
		if got := commonPath(given, filepath.Join(root, "run1")); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}

	folder, name := t.TempDir(), "only-here"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(filepath.Join(folder, name), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	before := withPath(os.Environ(), folder)
	for command, stays := range map[string]bool{"only-here": true, "nowhere-at-all": false} {
		kept := slices.ContainsFunc(shareable(before, command, folder), func(entry string) bool {
			name, path, _ := strings.Cut(entry, "=")
			return inOneCase(name) == "PATH" && slices.Contains(filepath.SplitList(path), folder)
		})
		if kept != stays {
			t.Errorf("the folder stays for %s: %v", command, kept)
		}
	}
}

// TestOffered: what means the same has one form, and roots are no part of it.
func TestOffered(t *testing.T) {
	for given, want := range map[string]string{
		``: `{}`,
		`{"roots":{"listChanged":true},"experimental":{"a":{}}}`: `{}`,
		`{"elicitation":{}}`:                     `{"elicitation":{"form":{}}}`,
		`{"elicitation":{"form":{}},"roots":{}}`: `{"elicitation":{"form":{}}}`,
		`{"elicitation":{"url":{}}}`:             `{"elicitation":{"url":{}}}`,
		`{"sampling":{"tools":{},"context":{}},"elicitation":{"url":{},"form":{"x":1}}}`: `{"elicitation":{"form":{},"url":{}},` +
			`"sampling":{"context":{},"tools":{}}}`,
		`{"sampling":{}}`: `{"sampling":{}}`,
	} {
		if got := string(offered(json.RawMessage(given))); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
}
