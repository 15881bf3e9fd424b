package edit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// TestArchives runs the archives in testdata. Each has a file, "in", operations, "ops", and either the
// result, "out", or the error. Words in brackets on the first line say how the bytes differ from what an
// archive can hold: [crlf], [bom], [no final newline].
//
//	go test ./engine/manage/file/edit -run Archives -update
func TestArchives(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d archives, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) < 2 || archive.Files[0].Name != "in" || archive.Files[1].Name != "ops" {
				t.Fatal("the archive must hold in, ops, and out or error")
			}
			in := encode(archive.Comment, archive.Files[0].Data)
			var ops written
			got := txtar.File{Name: "out"}
			err = json.Unmarshal(archive.Files[1].Data, &ops)
			if err == nil {
				var result []byte
				if result, err = edit.Apply(in, ops...); err == nil {
					got.Data = decode(t, archive.Comment, result)
					checkResult(t, in, result, ops)
				}
			}
			if errors.Is(err, edit.ErrBug) {
				t.Error(err)
			}
			if err != nil {
				got = txtar.File{Name: "error", Data: []byte(err.Error() + "\n")}
			}
			if *update {
				archive.Files = append(archive.Files[:2], got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(archive.Files) != 3 {
				t.Fatal("there is no out or error; run with -update, and check the result")
			}
			want := archive.Files[2]
			if diff := cmp.Diff(want.Name+"\n"+string(want.Data), got.Name+"\n"+string(got.Data)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var update = flag.Bool("update", false, "write what comes out into the archives")

func first(comment []byte) string {
	line, _, _ := strings.Cut(string(comment), "\n")
	return line
}

// encode returns the bytes that an archive describes.
func encode(comment, data []byte) []byte {
	line := first(comment)
	if strings.Contains(line, "[no final newline]") {
		data = bytes.TrimSuffix(data, []byte("\n"))
	}
	if strings.Contains(line, "[crlf]") {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
	}
	if strings.Contains(line, "[bom]") {
		data = append([]byte("\ufeff"), data...)
	}
	return data
}

// decode reverses encode. It checks that the bytes still have the form that the comment describes.
func decode(t *testing.T, comment, data []byte) []byte {
	t.Helper()
	line := first(comment)
	if strings.Contains(line, "[bom]") {
		rest, ok := bytes.CutPrefix(data, []byte("\ufeff"))
		if !ok {
			t.Error("the byte order mark is lost")
		}
		data = rest
	}
	if strings.Contains(line, "[crlf]") {
		if bytes.Count(data, []byte("\n")) != bytes.Count(data, []byte("\r\n")) {
			t.Error("some line ends are without \\r")
		}
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	if strings.Contains(line, "[no final newline]") {
		if bytes.HasSuffix(data, []byte("\n")) {
			t.Error("there is a final newline now")
		}
		data = append(data, '\n')
	}
	return data
}

// checkResult checks what must hold for every edit.
func checkResult(t *testing.T, in, result []byte, ops written) {
	t.Helper()
	text, err := json.Marshal(ops)
	if err != nil {
		t.Fatal(err)
	}
	var again written
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if second, err := edit.Apply(in, again...); err != nil || !bytes.Equal(second, result) {
		t.Errorf("%s does something else: %v\n%s", text, err, second)
	}
}
