package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// TestPack holds that every file is packed, all together to less than 30 %, and unpacked it is the same.
func TestPack(t *testing.T) {
	from, to := filepath.Join("..", "translations"), filepath.Join(t.TempDir(), "texts")
	if err := pack(from, to); err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	data, err := os.ReadFile(filepath.Join(to, "overlay.json"))
	if err == nil {
		err = json.Unmarshal(data, &overlay)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(from, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	before, after := 0, 0
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		replaced, ok := overlay.Replace[path]
		if !ok {
			t.Errorf("%s is not packed", file)
			continue
		}
		texts, packed := read(t, path), read(t, replaced)
		var english []byte
		if name := englishOf(filepath.Base(file)); name != filepath.Base(file) {
			english = read(t, filepath.Join(from, name))
		}
		if unpacked, err := assets.Unpack(packed, english); err != nil || !bytes.Equal(unpacked, texts) || !assets.IsPacked(packed) || assets.IsPacked(texts) {
			t.Errorf("%s is not the same when it is unpacked: %v", file, err)
		}
		before, after = before+len(texts), after+len(packed)
	}
	if before == 0 || after > before*3/10 {
		t.Errorf("%d bytes of texts are packed into %d", before, after)
	}
}

func TestPackSaysWhatIsMissing(t *testing.T) {
	from := t.TempDir()
	if err := os.WriteFile(filepath.Join(from, "area.de.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := pack(from, t.TempDir()); err == nil || !strings.Contains(err.Error(), "area.en.json") {
		t.Errorf("a language without English: %v", err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
