package detail

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// unapplied records for which servers, and for which file, something is typed and not saved.
type unapplied struct {
	servers []string // the servers with unsaved typing
	file    string   // the name of the file if its text has unsaved typing
	noted   string   // what this run has written to the file Options.Unapplied
	said    bool     // SayUnapplied was called
}

// noteUnapplied writes the names of the servers with unsaved typing to the file Options.Unapplied, but not the typed
// text. If the program is killed, the next start names these servers.
func (t *Detail) noteUnapplied(servers []string) {
	t.unapplied.servers = servers
	text := strings.Join(servers, "\n")
	if t.unapplied.file != "" {
		text = strings.Trim(text+"\n"+t.unapplied.file, "\n")
	}
	if t.options.Unapplied == "" || text == t.unapplied.noted {
		return
	}
	t.unapplied.noted = text
	if text == "" {
		_ = os.Remove(t.options.Unapplied)
		return
	}
	_ = os.MkdirAll(filepath.Dir(t.options.Unapplied), 0o700)
	_ = os.WriteFile(t.options.Unapplied, []byte(text), 0o600) // after an error the next start says nothing
}

// NoteFile records that the text of a file has unsaved typing. An empty name records that there is none.
func (t *Detail) NoteFile(name string) {
	if t.unapplied.file != name {
		t.unapplied.file = name
		t.noteUnapplied(t.unapplied.servers)
	}
}

// SayUnapplied names the servers and the file that had unsaved typing when an earlier run ended. Only the first call
// says something.
func (t *Detail) SayUnapplied() {
	if t.unapplied.said {
		return
	}
	t.unapplied.said = true
	text, err := os.ReadFile(t.options.Unapplied)
	if err != nil || len(text) == 0 || len(text) > 64<<10 {
		return
	}
	_ = os.Remove(t.options.Unapplied)
	t.options.Window.Say(lang.L("What you had typed for {{.Names}} was not applied when Workbench ended.",
		map[string]any{"Names": kit.SayList(strings.Split(string(text), "\n"))}))
}

// Leave removes the record of unsaved typing. Call it after the user was asked about all of it.
func (t *Detail) Leave() {
	t.unapplied.file = ""
	t.noteUnapplied(nil)
}
