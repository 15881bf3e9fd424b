package extension

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// entry is a file of a bundle for a test.
type entry struct {
	name, text string
	mode       fs.FileMode // 0 means no mode, as the format's tool writes it on Windows
}

// good is a valid manifest.
const good = `{
  "manifest_version": "0.3", "name": "notes", "display_name": "My notes", "version": "1.2.0", "description": "Reads notes.",
  "author": {"name": "Ann"},
  "server": {"type": "node", "entry_point": "server/index.js",
    "mcp_config": {"command": "node", "args": ["${__dirname}/server/index.js"], "env": {}}}
}`

// with returns the good manifest with a part replaced.
func with(old, new string) string {
	text := strings.Replace(good, old, new, 1)
	if text == good {
		panic("the manifest has no " + old)
	}
	return text
}

// usual returns the files of a bundle with a manifest.
func usual(manifest string) []entry {
	return []entry{{"manifest.json", manifest, 0o644}, {"server/index.js", "console.log(1)\n", 0o644}}
}

// packed makes a zip file.
func packed(tb testing.TB, entries []entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.text == "" {
			header.Method = zip.Store
		}
		if e.mode != 0 {
			header.SetMode(e.mode)
		}
		f, err := w.CreateHeader(header)
		if err == nil && !strings.HasSuffix(e.name, "/") {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// here returns a computer with its own temporary folder.
func here(tb testing.TB) System {
	home := tb.TempDir()
	return System{OS: "linux", Folder: filepath.Join(home, "data", "extensions"), Home: home,
		UserFolders: paths.Folders{OS: "linux", Home: home}.UserFolders()}
}

func saved(tb testing.TB, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "notes.mcpb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// read reads a bundle that must be valid.
func read(t *testing.T, s System, entries []entry) *Extension {
	t.Helper()
	x, err := Read(t.Context(), saved(t, packed(t, entries)), s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// refused checks that a bundle is refused with a message and a hint, and leaves nothing behind.
func refused(t *testing.T, s System, data []byte, words string) {
	t.Helper()
	x, err := Read(t.Context(), saved(t, data), s)
	var why *Error
	switch {
	case x != nil:
		t.Errorf("the bundle is accepted: %v", err)
	case !errors.As(err, &why) || !strings.Contains(why.Error(), words):
		t.Errorf("the error is %v, not %q", err, words)
	case why.Hint.IsZero() || !strings.HasSuffix(why.Message.String(), "."):
		t.Errorf("%q is not a sentence, or there is no advice: %q", why.Message, why.Hint)
	}
	if _, err := os.Stat(s.Folder); err == nil {
		t.Error("something was written")
	}
}
