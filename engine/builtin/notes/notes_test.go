package notes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/notes"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

type arguments = tooltest.Arguments

func TestNotes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state", "notes")
	n := tooltest.New(t, notes.New("0", folder))
	n.Says("list_notes", nil, "no notes yet")
	n.Says("search_notes", arguments{"query": "x"}, "no notes yet")
	n.Refuses("read_note", arguments{"title": "Müller v. Meier"}, "there is no note")

	n.Says("write_note", arguments{"title": "Müller v. Meier", "text": "Hearing on 3 May.\nClient prefers e-mail."},
		"Müller v. Meier.md")
	if content, err := os.ReadFile(filepath.Join(folder, "Müller v. Meier.md")); err != nil ||
		!strings.Contains(string(content), "Hearing") {
		t.Errorf("the file is %q, %v", content, err)
	}
	n.Says("add_to_note", arguments{"title": "Müller v. Meier", "text": "Fee agreed."}, "Written")
	n.Says("add_to_note", arguments{"title": "Office", "text": "Coffee"}, "Written")
	n.Says("read_note", arguments{"title": "Müller v. Meier"}, "e-mail.\nFee agreed.")
	n.Says("search_notes", arguments{"query": "EMAIL müller"}, "No note")
	n.Says("search_notes", arguments{"query": "E-MAIL müller"}, "## Müller v. Meier\nClient prefers e-mail.")
	n.Says("list_notes", nil, "Office")
	n.Says("delete_note", arguments{"title": "Office"}, "Deleted")
	n.Refuses("delete_note", arguments{"title": "Office"}, "there is no note")
	n.Refuses("write_note", arguments{"title": "x", "text": strings.Repeat("x", 2<<20)}, "Begin another note")

	// What a person has put there counts, too, but for what is no note.
	for name, content := range map[string]string{"mine.md": "by hand", "other.txt": "by hand", ".hidden.md": "by hand"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if text, _ := n.Call("search_notes", arguments{"query": "hand"}); text != "## mine\nby hand\n" {
		t.Errorf("found %q", text)
	}
}

// TestTitles checks that a title is never a path, nor a name that another system refuses.
func TestTitles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "notes")
	n := tooltest.New(t, notes.New("0", folder))
	for _, title := range []string{"", " ", "..", ".hidden", "../up", `a\b`, "a/b", "C:x", "line\nbreak", "zero\x00",
		strings.Repeat("é", 61), "what?"} {
		n.Refuses("write_note", arguments{"title": title, "text": "x"}, "title")
	}
	if entries, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(entries) > 0 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// FuzzTitles checks that a title is refused, or is the name of a file in the folder that says what was written.
func FuzzTitles(f *testing.F) {
	for _, seed := range []string{"Müller", "../up", "/", `C:\x`, "CON", "a.md", "a\x00", "\xff", "a ", "con.txt"} {
		f.Add(seed)
	}
	above := f.TempDir()
	folder := filepath.Join(above, "notes")
	n := tooltest.New(f, notes.New("0", folder))
	f.Fuzz(func(t *testing.T, title string) {
		n.T = t
		if _, refused := n.Call("write_note", arguments{"title": title, "text": "what it says"}); refused {
			return
		}
		n.Says("read_note", arguments{"title": title}, "what it says")
		n.Says("delete_note", arguments{"title": title}, "Deleted")
		for _, place := range []string{above, folder} {
			if left, err := os.ReadDir(place); err != nil || len(left) > 1 || len(left) == 1 && left[0].Name() != "notes" {
				t.Fatalf("%q leaves %v, %v", title, left, err)
			}
		}
	})
}
