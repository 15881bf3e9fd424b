package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// All texts are packed, together to less than 30 % of their size. Unpacked, they are the same.
func TestPack(t *testing.T) {
	module, to := filepath.Join("..", ".."), filepath.Join(t.TempDir(), "packed")
	if err := pack(module, to); err != nil {
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
	from := filepath.Join(module, "assets", "translations")
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
	// The window draws emoji with the packed font.
	test := exec.Command("go", "test", "-count=1", "-overlay", filepath.Join(to, "overlay.json"), "-tags", "no_emoji,packed_emoji", "-run", "^TestEmoji$", "-v", "./app/theme")
	test.Dir, test.Env = module, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := test.CombinedOutput(); err != nil || !bytes.Contains(said, []byte("--- PASS: TestEmoji")) || !bytes.Contains(said, []byte("emoji.otf")) {
		t.Errorf("%v: %s", err, said)
	}
}

func TestPackSaysWhatIsMissing(t *testing.T) {
	module := t.TempDir()
	folder := filepath.Join(module, "assets", "translations")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "area.de.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := pack(module, t.TempDir()); err == nil || !strings.Contains(err.Error(), "area.en.json") {
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
