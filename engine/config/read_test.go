package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

func TestRead(t *testing.T) {
	folder := t.TempDir()
	good, large, notAFolder := filepath.Join(folder, "good"), filepath.Join(folder, "large"),
		filepath.Join(folder, "good", "x")
	write(t, good, with("one"))
	write(t, large, "")
	must(t, os.Truncate(large, 50<<20))
	for _, test := range []struct {
		name, path string
		named      bool
		want       string // a part of the error
		reason     error
	}{
		{"good", good, true, "", nil},
		{"default missing", filepath.Join(folder, "missing"), false, "", nil},
		{"named missing", filepath.Join(folder, "missing"), true, "there is no configuration file", fs.ErrNotExist},
		{"below a file", notAFolder, true, "there is no configuration file", nil},
		{"folder", folder, true, "is a folder", nil},
		{"default folder", folder, false, "is a folder", nil},
		{"too large", large, true, "larger than 16 MiB", atomicfile.ErrTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			document, err := Read(Location{test.path, test.named, SourceEnv})
			if test.want == "" {
				if err != nil || !document.Valid() || document.Name != test.path {
					t.Errorf("got %+v, %v", document, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.path) {
				t.Fatalf("got %v, which doesn't say %q", err, test.want)
			}
			if test.named && !strings.Contains(err.Error(), EnvConfig) {
				t.Errorf("%v doesn't say who named the file", err)
			}
			if test.reason != nil && !errors.Is(err, test.reason) {
				t.Errorf("%v is not %v", err, test.reason)
			}
		})
	}
	document, err := Read(at(filepath.Join(folder, "missing")))
	if err != nil || document.Source != nil || len(document.Diagnostics) != 0 || document.Config.ToolMode != ModeAuto {
		t.Errorf("a missing default file is %+v, %v", document, err)
	}
	empty := filepath.Join(folder, "empty")
	write(t, empty, "")
	if document, err := Read(at(empty)); err != nil || document.Source == nil || document.Valid() {
		t.Errorf("an empty default file is %+v, %v", document, err)
	}
}

func TestReadWithoutPermission(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := (Location{path, true, SourceFlag}).explain(
		&fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}); !strings.Contains(err.Error(), "no permission") ||
		!errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
	write(t, path, with("one"))
	must(t, os.Chmod(path, 0))
	if _, err := os.ReadFile(path); err == nil {
		t.Skip("this user may read everything")
	}
	if _, err := Read(at(path)); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// TestReadDevice checks that reading a device does not hang or fill the memory.
func TestReadDevice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no device files")
	}
	if _, err := Read(Location{"/dev/zero", true, SourceFlag}); err == nil || !strings.Contains(err.Error(), "device") {
		t.Errorf("got %v", err)
	}
}
