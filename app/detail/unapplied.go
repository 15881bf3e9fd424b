package detail

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// unapplied records for which servers, and for which file, something is typed and not saved.
type unapplied struct {
	servers []string // the servers with unsaved typing
	file    string   // the name of the file if its text has unsaved typing
	noted   string   // what this run has written to the file Options.Unapplied, or is about to
	said    bool     // SayUnapplied was called

	mu      sync.Mutex
	writes  bool   // a goroutine writes the file
	written string // what it has written
	wanted  string // what it is to write
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
	t.unapplied.mu.Lock()
	defer t.unapplied.mu.Unlock()
	t.unapplied.wanted = text
	if !t.unapplied.writes {
		t.unapplied.writes = true
		t.options.Tasks.Background(t.writeUnapplied)
	}
}

// writeUnapplied writes the file Options.Unapplied until it has the newest text. The disk may be slow.
func (t *Detail) writeUnapplied() {
	for {
		t.unapplied.mu.Lock()
		text := t.unapplied.wanted
		if text == t.unapplied.written {
			t.unapplied.writes = false
			t.unapplied.mu.Unlock()
			return
		}
		t.unapplied.written = text
		t.unapplied.mu.Unlock()
		if text == "" {
			_ = os.Remove(t.options.Unapplied)
			continue
		}
		_ = os.MkdirAll(filepath.Dir(t.options.Unapplied), 0o700)
		// after an error the next start says nothing
		_ = atomicfile.Overwrite(t.options.Unapplied, []byte(text))
	}
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
	path := t.options.Unapplied
	if path == "" {
		return
	}
	task.Ask(t.options.Tasks, func() ([]byte, error) {
		text, err := atomicfile.Read(path, 64<<10)
		if err == nil {
			err = os.Remove(path)
		}
		return text, err
	}, func(text []byte, err error) {
		if err != nil || len(text) == 0 {
			return
		}
		t.options.Window.Say(lang.L("What you had typed for {{.Names}} was not applied when Workbench ended.",
			map[string]any{"Names": kit.SayList(strings.Split(string(text), "\n"))}))
	})
}

// Leave removes the record of unsaved typing. Call it after the user was asked about all of it.
func (t *Detail) Leave() {
	t.unapplied.file = ""
	t.noteUnapplied(nil)
}
