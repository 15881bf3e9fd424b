package detail

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"
)

// noteUnapplied keeps the names of the servers for which something is typed and not applied in a file, never what is typed: when the
// program is killed, it is said at the next start.
func (t *Detail) noteUnapplied(servers []string) {
	text := strings.Join(servers, "\n")
	if t.options.Unapplied == "" || text == t.unapplied {
		return
	}
	t.unapplied = text
	if text == "" {
		_ = os.Remove(t.options.Unapplied)
		return
	}
	_ = os.MkdirAll(filepath.Dir(t.options.Unapplied), 0o700)
	_ = os.WriteFile(t.options.Unapplied, []byte(text), 0o600) // without it nothing is said
}

// SayUnapplied says once for which servers something was typed and not applied when the program ended.
func (t *Detail) SayUnapplied() {
	text, err := os.ReadFile(t.options.Unapplied)
	if err != nil || len(text) == 0 || len(text) > 64<<10 {
		return
	}
	_ = os.Remove(t.options.Unapplied)
	t.options.Window.Say(lang.L("What you had typed for {{.Names}} was not applied when Workbench ended.",
		map[string]any{"Names": strings.Join(strings.Split(string(text), "\n"), ", ")}))
}

// Leave forgets what is noted: the person was asked about what is not applied.
func (t *Detail) Leave() { t.noteUnapplied(nil) }
