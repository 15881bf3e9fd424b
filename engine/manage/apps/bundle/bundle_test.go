package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

func options() Options {
	return Options{
		Launch: clients.Launch{Program: "/opt/Work bench/workbench-desktop",
			Config: "/home/ada/Wörk/workbench-config.json"},
		Version: "1.2.3", OS: "linux", Icon: []byte("\x89PNG\r\n\x1a\n"),
	}
}

func made(t *testing.T, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Make(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// open returns the files of a bundle.
func open(t *testing.T, data []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// TestMake checks that a bundle starts exactly what the entry would, and that it has all the files that its
// manifest names.
func TestMake(t *testing.T) {
	for system, platform := range map[string]string{"linux": "linux", "freebsd": "linux", "darwin": "darwin",
		"windows": "win32"} {
		o := options()
		o.OS = system
		files := open(t, made(t, o))
		var m manifest
		if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
			t.Fatal(err)
		}
		if m.Server.Config.Command != o.Launch.Program ||
			!slices.Equal(m.Server.Config.Args, o.Launch.Args("claude-desktop")) {
			t.Errorf("the bundle starts %q", m.Server.Config)
		}
		if m.ManifestVersion != "0.4" || m.Version != "1.2.3" || m.Server.Type != "binary" || !m.ToolsGenerated ||
			!slices.Equal(m.Compatibility.Platforms, []string{platform}) {
			t.Errorf("the manifest is %+v", m)
		}
		if files[m.Icon] != string(o.Icon) || !strings.Contains(files[m.Server.EntryPoint], o.Launch.Program) {
			t.Errorf("the files are %q", files)
		}
	}
	o := options()
	o.Icon = nil
	if files := open(t, made(t, o)); len(files) != 2 || strings.Contains(files["manifest.json"], "icon") {
		t.Errorf("without an icon the files are %q", files)
	}
}

func TestSameBytes(t *testing.T) {
	if !bytes.Equal(made(t, options()), made(t, options())) {
		t.Error("the same bundle has other bytes")
	}
}

// TestVariableInPath: the app would replace a part of the path that looks like a variable of the format.
func TestVariableInPath(t *testing.T) {
	o := options()
	o.Launch.Config = "/home/ada/${HOME}/workbench-config.json"
	if err := Make(io.Discard, o); err == nil || !strings.Contains(err.Error(), "rename the folder") {
		t.Errorf("the bundle was made: %v", err)
	}
}

func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := Save(path, options()); err != nil {
		t.Fatal(err)
	}
	newer := options()
	newer.Version = "2.0.0"
	if err := Save(path, newer); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, made(t, newer)) {
		t.Errorf("the older bundle was not replaced: %v", err)
	}
	var other bytes.Buffer
	archive := zip.NewWriter(&other)
	file, err := archive.Create("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte(`{"name": "workbench"}`)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "mine", other.String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Save(path, options()); err == nil || !strings.Contains(err.Error(), "left alone") {
			t.Errorf("another file was replaced: %v", err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != text {
			t.Errorf("another file is %q now, %v", data, err)
		}
	}
	if err := Save(filepath.Join(path, "below", FileName), options()); err == nil {
		t.Error("the bundle was saved below a file")
	}
}
