package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/files"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

// desk is a server for a folder, with a secret beside the folder.
type desk struct {
	*tooltest.Caller
	folder string
}

type arguments = tooltest.Arguments

func newDesk(t testing.TB) *desk {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "chosen")
	if _, err := files.New("0", []string{folder}, nil); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Fatalf("a folder that is not there is offered: %v", err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	made, err := files.New("0", []string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{tooltest.New(t, made), folder}
	d.put("letter.txt", "Dear Ada\nYours, Grace\n")
	d.put("sub/contract.md", "# Contract\n\nbetween us\n")
	d.put("../secret.txt", "secret")
	return d
}

// put writes a file below the folder.
func (d *desk) put(name, content string) {
	d.T.Helper()
	path := filepath.Join(d.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		d.T.Fatal(err)
	}
}

func (d *desk) content(name string) string {
	content, err := os.ReadFile(filepath.Join(d.folder, name))
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func TestLooking(t *testing.T) {
	d := newDesk(t)
	d.Says("list_allowed_directories", nil, d.folder)
	d.Says("list_directory", arguments{"path": d.folder}, "[FILE] letter.txt\n[DIR] sub")
	d.Says("list_directory_with_sizes", arguments{"path": ".", "sortBy": "size"}, "letter.txt 22 B")
	d.Says("directory_tree", arguments{"path": "."}, `"contract.md"`)
	d.Says("get_file_info", arguments{"path": "letter.txt"}, "size: 22\n")
	d.Refuses("list_directory", arguments{"path": "none"}, "does not exist")
	d.Refuses("list_directory", arguments{}, "path")
	for range 700 {
		d.put("many/"+strings.Repeat("n", 20)+filepath.Base(t.TempDir()), "")
	}
	d.Says("list_directory", arguments{"path": "many"}, "[200 more; go on with offset 500]")
	d.Says("list_directory", arguments{"path": "many", "offset": 500}, "[FILE] n")
}

func TestReading(t *testing.T) {
	d := newDesk(t)
	d.Says("read_text_file", arguments{"path": filepath.Join(d.folder, "letter.txt")}, "Dear Ada\nYours, Grace\n")
	d.Says("read_text_file", arguments{"path": "letter.txt", "tail": 1}, "Yours, Grace")
	if text, _ := d.Call("read_text_file", arguments{"path": "letter.txt", "head": 1}); text != "Dear Ada" {
		t.Errorf("the first line is %q", text)
	}
	d.Says("read_multiple_files", arguments{"paths": []string{"letter.txt", "none.txt"}}, "none.txt:\nError: ")
	d.put("old.txt", "Gr\xfc\xdfe")
	d.Says("read_text_file", arguments{"path": "old.txt"}, "Grüße")
	d.put("windows.txt", "\xff\xfeG\x00r\x00\xfc\x00")
	d.Says("read_text_file", arguments{"path": "windows.txt"}, "Grü")
	d.put("picture.png", "\x89PNG\r\n\x1a\n\x00\x00")
	d.Refuses("read_text_file", arguments{"path": "picture.png"}, "is no text (image/png)")
	d.Refuses("read_media_file", arguments{"path": "letter.txt"}, "neither a picture nor a sound")
	if _, failed := d.Call("read_media_file", arguments{"path": "picture.png"}); failed {
		t.Error("a picture cannot be read")
	}
	d.put("table.xlsx", "PK\x03\x04")
	d.Refuses("read_text_file", arguments{"path": "table.xlsx"}, "save it as CSV")
}

// TestLargeFile checks that a file of 2 GB is read in parts.
func TestLargeFile(t *testing.T) {
	d := newDesk(t)
	d.put("large.log", strings.Repeat("a line\n", 10_000))
	if err := os.Truncate(filepath.Join(d.folder, "large.log"), 2<<30); err != nil {
		t.Skipf("the disk has no room for a file with holes: %v", err)
	}
	d.Says("read_text_file", arguments{"path": "large.log"}, "bytes; go on with offset ")
	d.Says("read_text_file", arguments{"path": "large.log", "head": 2}, "a line\na line")
	if text, failed := d.Call("read_text_file", arguments{"path": "large.log", "tail": 2}); failed || len(text) > 30_000 {
		t.Errorf("the last lines have %d bytes, an error: %t", len(text), failed)
	}
	d.Refuses("edit_file", arguments{"path": "large.log", "edits": []arguments{{"oldText": "a", "newText": "b"}}},
		"can be edited")
	d.Says("search_text", arguments{"path": ".", "query": "contract"}, "1 files are too large")
	d.put("large.txt", strings.Repeat("Gr\xfc\xdfe\n", 1000))
	if err := os.Truncate(filepath.Join(d.folder, "large.txt"), 2<<30); err != nil {
		t.Fatal(err)
	}
	d.Refuses("read_text_file", arguments{"path": "large.txt"}, "larger than 64 MB")
	d.Refuses("read_media_file", arguments{"path": "large.txt"}, "can be read")
	d.put("large.pdf", "%PDF-1.4\n")
	if err := os.Truncate(filepath.Join(d.folder, "large.pdf"), 2<<30); err != nil {
		t.Fatal(err)
	}
	d.Refuses("read_text_file", arguments{"path": "large.pdf"}, "256 can be read")
}

func TestSearching(t *testing.T) {
	d := newDesk(t)
	d.Says("search_files", arguments{"path": ".", "pattern": "CONTRACT"}, filepath.Join("sub", "contract.md"))
	d.Says("search_files", arguments{"path": d.folder, "pattern": "**/*.md"}, "contract.md")
	d.Says("search_files", arguments{"path": ".", "pattern": "*.md", "excludePatterns": []string{"sub"}},
		"No matches found")
	d.Says("search_text", arguments{"path": ".", "query": "between US"}, "contract.md:3: between us")
	d.Says("search_text", arguments{"path": ".", "query": "ada", "pattern": "*.md"}, "No matches found")
	d.Refuses("search_files", arguments{"path": ".", "pattern": "[a"}, "no pattern")
	d.Refuses("search_text", arguments{"path": "letter.txt", "query": "x"}, "no folder")
}

func TestChanging(t *testing.T) {
	d := newDesk(t)
	d.Says("write_file", arguments{"path": "new.txt", "content": "one\r\ntwo\r\n"}, "Successfully")
	d.Says("edit_file", arguments{"path": "new.txt", "edits": []arguments{{"oldText": "one\ntwo", "newText": "1\n2"}},
		"dryRun": true}, "+1")
	if got := d.content("new.txt"); got != "one\r\ntwo\r\n" {
		t.Errorf("a dry run has written %q", got)
	}
	d.Says("edit_file", arguments{"path": "new.txt", "edits": []arguments{{"oldText": "one\ntwo", "newText": "1\n2"}}},
		"+1")
	if got := d.content("new.txt"); got != "1\r\n2\r\n" {
		t.Errorf("the file is %q", got)
	}
	d.Refuses("edit_file", arguments{"path": "letter.txt",
		"edits": []arguments{{"oldText": "Ada", "newText": "x"}, {"oldText": "no", "newText": "x"}}},
		"edit 2 is not in the file")
	d.Refuses("edit_file", arguments{"path": "letter.txt", "edits": []arguments{{"oldText": "a", "newText": "x"}}},
		"3 times")
	if got := d.content("letter.txt"); !strings.Contains(got, "Ada") {
		t.Errorf("a refused edit has written %q", got)
	}
	d.Says("create_directory", arguments{"path": "a/b"}, "Successfully")
	d.Says("move_file", arguments{"source": "new.txt", "destination": "a/b/moved.txt"}, "Successfully")
	d.Refuses("move_file", arguments{"source": "letter.txt", "destination": "a/b/moved.txt"}, "exists already")
	d.Refuses("delete_file", arguments{"path": "a"}, "only an empty folder")
	d.Refuses("delete_file", arguments{"path": "."}, "cannot be deleted")
	d.Says("delete_file", arguments{"path": "a/b/moved.txt"}, "Successfully")
	d.Says("delete_file", arguments{"path": "a/b"}, "Successfully")
	d.Refuses("write_file", arguments{"path": "none/x.txt", "content": ""}, "create_directory")
	d.Refuses("write_file", arguments{"path": "sub", "content": ""}, "is a folder")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(filepath.Join(d.folder, "letter.txt"), 0o640); err != nil {
			t.Fatal(err)
		}
		d.Says("write_file", arguments{"path": "letter.txt", "content": "x"}, "Successfully")
		if info, err := os.Stat(filepath.Join(d.folder, "letter.txt")); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("the permissions are %v, %v", info.Mode(), err)
		}
	}
}

// TestNothingLeadsOut checks that no tool reaches anything outside of the folder.
func TestNothingLeadsOut(t *testing.T) {
	d := newDesk(t)
	paths := []string{"../secret.txt", filepath.Join(d.folder, "..", "secret.txt"), "/etc/passwd", "sub/../../secret.txt",
		"\x00"}
	if runtime.GOOS == "windows" {
		paths = append(paths, `..\secret.txt`, `\\server\share\secret.txt`)
	} else {
		for name, to := range map[string]string{"link": "../secret.txt",
			"absolute": filepath.Join(filepath.Dir(d.folder), "secret.txt"), "up": ".."} {
			if err := os.Symlink(to, filepath.Join(d.folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, "link", "absolute", "up/secret.txt")
	}
	for _, path := range paths {
		for _, tool := range []string{"read_text_file", "read_media_file", "get_file_info", "list_directory",
			"create_directory"} {
			if text, failed := d.Call(tool, arguments{"path": path}); !failed {
				t.Errorf("%s of %q returns %q", tool, path, text)
			}
		}
		d.Call("write_file", arguments{"path": path, "content": "changed"})
		d.Call("move_file", arguments{"source": "letter.txt", "destination": path})
		if text, failed := d.Call("edit_file",
			arguments{"path": path, "edits": []arguments{{"oldText": "secret", "newText": "x"}}}); !failed && path != "link" {
			t.Errorf("editing %q returns %q", path, text)
		}
	}
	for _, tool := range []string{"search_text", "search_files"} {
		if text, _ := d.Call(tool, arguments{"path": ".", "query": "secret", "pattern": "secret"}); strings.Contains(text,
			"secret.txt") {
			t.Errorf("%s finds %q", tool, text)
		}
	}
	if got := d.content("../secret.txt"); got != "secret" {
		t.Errorf("the secret is %q now", got)
	}
}

// TestFolderVanishes checks that a folder that is gone is said to be so, and is there again when it comes back.
func TestFolderVanishes(t *testing.T) {
	d := newDesk(t)
	if err := os.Rename(d.folder, d.folder+"2"); err != nil {
		t.Fatal(err)
	}
	d.Refuses("list_directory", arguments{"path": "."}, "is not there any more")
	d.Refuses("write_file", arguments{"path": "x", "content": ""}, "is not there any more")
	if err := os.Rename(d.folder+"2", d.folder); err != nil {
		t.Fatal(err)
	}
	d.Says("list_directory", arguments{"path": "."}, "letter.txt")
}

func TestStrangeNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems refuse such names")
	}
	d := newDesk(t)
	d.put("bad\xffname", "x")
	d.put("line\nbreak", "x")
	d.Says("list_directory", arguments{"path": "."}, "bad\uFFFDname")
	d.Refuses("read_text_file", arguments{"path": "bad\uFFFDname"}, "not UTF-8")
	d.Says("search_files", arguments{"path": ".", "pattern": "bad*"}, "bad\uFFFDname")
	if err := os.Symlink(".", filepath.Join(d.folder, "circle")); err != nil {
		t.Fatal(err)
	}
	d.Says("directory_tree", arguments{"path": "."}, `"circle"`)
	d.Says("search_files", arguments{"path": ".", "pattern": "letter"}, "letter.txt")
	d.Says("read_text_file", arguments{"path": "circle/circle/letter.txt"}, "Dear Ada")
	for one, other := range map[string]string{"here": "there", "there": "here"} {
		if err := os.Symlink(other, filepath.Join(d.folder, one)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"read_text_file", "get_file_info", "list_directory", "directory_tree"} {
		d.Refuses(tool, arguments{"path": "here"}, "link")
	}
	d.Refuses("search_files", arguments{"path": "here", "pattern": "x"}, "link")
}

// FuzzPaths checks that no path leads out of the folder.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"../secret.txt", "/", "a/../../secret.txt", `C:\`, `\\server\share`, "sub/./../..", "~",
		"CON", "..."} {
		f.Add(seed)
	}
	d := newDesk(f)
	f.Fuzz(func(t *testing.T, path string) {
		d.T = t
		d.Call("write_file", arguments{"path": path, "content": "changed"})
		text, failed := d.Call("read_text_file", arguments{"path": path})
		if !failed && strings.Contains(text, "secret") {
			t.Errorf("%q reads %q", path, text)
		}
		d.Call("delete_file", arguments{"path": path})
		if got := d.content("../secret.txt"); got != "secret" {
			t.Fatalf("%q has changed the secret to %q", path, got)
		}
	})
}

// FuzzPatterns checks that a search with any pattern ends, and finds nothing outside of the folder.
func FuzzPatterns(f *testing.F) {
	for _, seed := range []string{"*.md", "**/contract*", "{a,b}{a,b}*", "[a-", "**/**/**/**", "../*", `\`, "[^x]"} {
		f.Add(seed, seed)
	}
	d := newDesk(f)
	d.put(strings.Repeat("a", 100)+"/"+strings.Repeat("ab", 60), "text")
	f.Fuzz(func(t *testing.T, pattern, exclude string) {
		d.T = t
		text, _ := d.Call("search_files", arguments{"path": ".", "pattern": pattern, "excludePatterns": []string{exclude}})
		if strings.Contains(text, "secret.txt") && !strings.Contains(pattern+exclude, "secret.txt") {
			t.Errorf("%q finds %q", pattern, text)
		}
		d.Call("search_text", arguments{"path": ".", "query": pattern, "pattern": pattern})
	})
}

// TestAnnotations checks what clients are told about the tools: which only read, and which can destroy something.
func TestAnnotations(t *testing.T) {
	changes := map[string]bool{"write_file": true, "edit_file": true, "move_file": true, "delete_file": true,
		"create_directory": false}
	for _, tool := range newDesk(t).Tools() {
		destroys, changesAnything := changes[tool.Name]
		hints := tool.Annotations
		if *hints.ReadOnlyHint == changesAnything || *hints.DestructiveHint != destroys || *hints.OpenWorldHint {
			t.Errorf("%s reads only: %t, destroys: %t, is of the open world: %t", tool.Name, *hints.ReadOnlyHint,
				*hints.DestructiveHint, *hints.OpenWorldHint)
		}
		if tool.Title == "" || tool.Description == "" {
			t.Errorf("%s has the title %q and the description %q", tool.Name, tool.Title, tool.Description)
		}
	}
}
