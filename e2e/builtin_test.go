package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBuiltinServers: an entry that names workbench-engine is started by the engine with its own program, and needs
// nothing else, also where PATH has nothing.
func TestBuiltinServers(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<h1>Fees</h1><table><tr><th>Claim<th>Fee<tr><td>500<td>40</table>")
		}))
		defer page.Close()
		own := func(args ...string) object {
			return object{"command": "workbench-engine", "args": append([]string{"server"}, args...), "env": object{"PATH": ""},
				"startupTimeout": 120}
		}
		c := lib.connect(t, w.save(ordered{{"own", object{"mcpServers": ordered{
			{"files", own("files", w.files)}, {"notes", own("notes")}, {"web", own("web")}, {"time", own("time")},
			{"inside", own("web", "--private")},
		}}}}))
		if opened := c.open("own"); len(opened.Errors) > 0 {
			t.Fatalf("the toolbox was not opened: %v", opened.Errors)
		}
		if text := firstText(t, c.use("own", "files", "read_text_file",
			object{"path": "hello.txt"})); text != "Hello, workbench.\n" {
			t.Errorf("the file is %q", text)
		}
		w.write("letter.docx", string(document(t)))
		if text := firstText(t, c.use("own", "files", "read_text_file",
			object{"path": "letter.docx"})); text != "Dear Ada\n" {
			t.Errorf("the document is %q", text)
		}
		c.use("own", "notes", "write_note", object{"title": "Müller", "text": "Hearing on 3 May"})
		found, err := filepath.Glob(filepath.Join(w.home, "*", "*", "*", "notes", "Müller.md"))
		if len(found) != 1 {
			t.Errorf("the note is not below the home: %q, %v", found, err)
		}
		if text := firstText(t, c.use("own", "time", "get_current_time",
			object{"timezone": "Asia/Tokyo"})); !strings.Contains(text, "+09:00") {
			t.Errorf("the time is %q", text)
		}
		if text := firstText(t, c.use("own", "inside", "fetch",
			object{"url": page.URL})); !strings.Contains(text, "# Fees\n\n| Claim | Fee |") {
			t.Errorf("the page is %q", text)
		}
		if text := firstText(t, c.use("own", "web", "fetch", object{"url": "http://127.0.0.1:1"})); !strings.Contains(text,
			"--private") {
			t.Errorf("a page of this computer is %q", text)
		}
	})
}

// document returns a Word document that says "Dear Ada".
func document(t *testing.T) []byte {
	t.Helper()
	var written bytes.Buffer
	w := zip.NewWriter(&written)
	part, err := w.Create("word/document.xml")
	if err == nil {
		_, err = part.Write([]byte(`<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>Dear Ada</w:t></w:r></w:p></w:body></w:document>`))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

// TestBuiltinFilesAsReference: the server "files" answers as the reference server does, so that habits of models hold.
// Lists are compared without their order.
func TestBuiltinFilesAsReference(t *testing.T) {
	needNPM(t)
	w := newWorkshop(t)
	w.write("a.txt", "one\ntwo\nthree\n")
	if err := os.Mkdir(filepath.Join(w.files, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join("sub", "b.md"), "# B\n")
	lib := libraries()[0]
	reference := lib.connect(t, w.direct("filesystem"))
	ours := lib.connect(t, launch{command: program, args: []string{"server", "files", w.files}})
	at := func(name string) string { return filepath.Join(w.files, name) }
	asTree := func(text string) string {
		var tree any
		if err := json.Unmarshal([]byte(text), &tree); err != nil {
			return text
		}
		compact, _ := json.Marshal(tree)
		return string(compact)
	}
	asSet := func(text string) string {
		list := strings.Split(text, "\n")
		slices.Sort(list)
		return strings.Join(list, "\n")
	}
	same := func(text string) string { return text }
	// The reference server also tells when a file was made and last read.
	size := func(text string) string { line, _, _ := strings.Cut(text, "\n"); return line }
	for _, c := range []struct {
		tool      string
		arguments object
		as        func(string) string
	}{
		{"list_allowed_directories", object{}, same},
		{"list_directory", object{"path": w.files}, asSet},
		{"read_text_file", object{"path": at("a.txt")}, same},
		{"read_text_file", object{"path": at("a.txt"), "head": 2}, same},
		{"read_multiple_files", object{"paths": []string{at("a.txt"), at("sub/b.md")}}, same},
		{"directory_tree", object{"path": w.files}, asTree},
		{"search_files", object{"path": w.files, "pattern": "**/*.md"}, asSet},
		{"search_files", object{"path": w.files, "pattern": "*.nothing"}, same},
		{"get_file_info", object{"path": at("a.txt")}, size},
		{"write_file", object{"path": at("new.txt"), "content": "x\n"}, same},
		{"edit_file", object{"path": at("new.txt"), "edits": []object{{"oldText": "x", "newText": "y"}}, "dryRun": true},
			func(text string) string {
				return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
					return !strings.HasPrefix(line, "+y")
				}), "\n")
			}},
		{"create_directory", object{"path": at("folder")}, same},
		{"move_file", object{"source": at("new.txt"), "destination": at("folder/moved.txt")}, same},
	} {
		want := c.as(firstText(t, reference.call(c.tool, c.arguments)))
		if c.tool == "move_file" { // there is nothing left to move
			os.Rename(at("folder/moved.txt"), at("new.txt"))
		}
		if diff := cmp.Diff(want, c.as(firstText(t, ours.call(c.tool, c.arguments)))); diff != "" {
			t.Errorf("%s %v (-reference +ours):\n%s", c.tool, c.arguments, diff)
		}
	}
	// Every tool of the reference server is there but the one that it calls deprecated.
	var missing []string
	mine := names(ours.listTools())
	for _, name := range names(reference.listTools()) {
		if name != "read_file" && !slices.Contains(mine, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("these tools of the reference server are missing: %q", missing)
	}
}
