package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made")
	name := filepath.Join(folder, "file")
	for _, step := range []struct {
		source, expected string
		none             bool
		want             error
	}{
		{"one", "", true, nil},
		{"never", "", true, ErrChanged},
		{"never", "two", false, ErrChanged},
		{"never", "ONE", false, ErrChanged},
		{"", "one", false, nil},
		{"three", "", false, nil},
	} {
		expected := []byte(step.expected)
		if step.none {
			expected = nil
		}
		if err := Replace(name, []byte(step.source), expected); !errors.Is(err, step.want) {
			t.Errorf("%q for %q: %v", step.source, step.expected, err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "three" {
		t.Errorf("%q, %v", got, err)
	}
	if err := Replace(folder, nil, nil); !errors.Is(err, ErrIsFolder) {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestAFolderThatIsGone: a file that was there is not made anew, with its folders, where a disk was ejected.
func TestAFolderThatIsGone(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	if err := Replace(filepath.Join(disk, "config", "file"), []byte("new"), []byte("old")); !errors.Is(err, ErrChanged) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(disk); !os.IsNotExist(err) {
		t.Error("a folder was made in place of the disk")
	}
}

// TestSpellingsOfOneFile: a name in another case or with other accents is the same file, where the disk says so; a
// disk that distinguishes them has two.
func TestSpellingsOfOneFile(t *testing.T) {
	folder := t.TempDir()
	one, other, third := filepath.Join(folder, "J\u00fc.json"), filepath.Join(folder, "ju\u0308.JSON"),
		filepath.Join(folder, "x.json")
	if err := os.WriteFile(one, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other); os.IsNotExist(err) { // this disk distinguishes them
		if Same(one, other) {
			t.Error("a file that is not there is the same")
		}
		if err := os.Link(one, other); err != nil { // stands for a disk that does not
			t.Skip(err)
		}
	}
	if !Same(one, other) {
		t.Error("another spelling is another file")
	}
	if err := os.Link(one, third); err == nil && Same(one, third) {
		t.Error("another name is the same file")
	}
}
