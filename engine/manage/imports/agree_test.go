package imports

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestImportSaysWhatThePastePageSays checks, for each text of package foreign, that a file with this text gives
// the same servers as when it is pasted, and that the plan has all that was said about it.
func TestImportSaysWhatThePastePageSays(t *testing.T) {
	files, err := filepath.Glob("../foreign/testdata/*.txt")
	if err != nil || len(files) < 100 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := archive.Files[0].Data
		folder, system := home(t, nil)
		if err := os.WriteFile(filepath.Join(folder, "file"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		plan := Make(Options{System: system, File: filepath.Join(folder, "file"), Into: "dev"})
		found, failed := foreign.Parse(string(text))
		says := func(list []words.Text, note words.Text) bool {
			return slices.ContainsFunc(list, note.Map(inLine).Equal)
		}
		if failed != nil && len(plan.Servers) > 0 || failed != nil && len(plan.Skipped) == 0 {
			t.Errorf("%s: %d servers, %d left alone, and the page says %v", file, len(plan.Servers), len(plan.Skipped), failed)
		}
		for _, note := range found.Notes {
			if !says(plan.Notes, note) {
				t.Errorf("%s: the plan does not say %q", file, note)
			}
		}
		for _, rest := range found.Rest {
			if !slices.ContainsFunc(plan.Skipped, func(s Skipped) bool { return s.Name == rest.Name && s.Reason.Equal(rest.Why) }) {
				t.Errorf("%s: the plan does not say why %q is left alone", file, rest.Name)
			}
		}
		for _, e := range found.Entries {
			skipped := slices.ContainsFunc(plan.Skipped, func(s Skipped) bool { return s.Name == e.At.Name || s.Name == e.Server.Name })
			at := slices.IndexFunc(plan.Servers, func(f Found) bool {
				there := slices.ContainsFunc(f.origins(), func(o Origin) bool { return o.Name == e.At.Name || o.Name == e.Server.Name })
				return there && f.Entry.Transport == e.Server.Transport && len(f.Entry.Args) == len(e.Server.Args) && len(f.Entry.Env) == len(e.Server.Env)
			})
			switch {
			case at < 0 && !skipped:
				t.Errorf("%s: %s is not in the plan", file, e.Server.Name)
			case at < 0:
			default:
				for _, note := range e.Notes {
					if !says(plan.Servers[at].Notes, note) {
						t.Errorf("%s: %s: the plan does not say %q", file, e.Server.Name, note)
					}
				}
			}
		}
	}
}
