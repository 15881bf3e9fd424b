package imports

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestAllWaysAgree checks, for each text of package foreign, that what comes of it does not depend on the way in which
// it comes: pasted, as a dropped file, in an install link, or imported as a file. Entries and notes are the same.
func TestAllWaysAgree(t *testing.T) {
	files, err := filepath.Glob("../foreign/testdata/*.txt")
	if err != nil || len(files) < 100 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	links := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := archive.Files[0].Data
		folder, system := home(t, nil)
		path := filepath.Join(folder, "file")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		pasted, failed := foreign.Parse(string(text))

		dropped, err := foreign.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fromFile, err := foreign.Parse(dropped)
		if diff := cmp.Diff(account(pasted), account(fromFile)); diff != "" || (err == nil) != (failed == nil) {
			t.Errorf("%s: pasted and dropped differ: %s", file, diff)
		}

		if read := jsonc.Parse(text); failed == nil && read.Broken() == nil && read.Root.Is(jsonc.Object) {
			links++
			linked, err := foreign.Parse("workbench:add?config=" + base64.RawURLEncoding.EncodeToString(text))
			if diff := cmp.Diff(account(pasted), account(linked)); err != nil || diff != "" {
				t.Errorf("%s: pasted and in a link differ: %v %s", file, err, diff)
			}
		}

		imported(t, file, pasted, failed, Make(Options{System: system, File: path, Into: "dev"}))
	}
	if links < 20 {
		t.Errorf("only %d texts were tried as a link", links)
	}
}

// TestEncodingsAgree: a file in another encoding than UTF-8 is refused with the same reason on each way, not read with
// wrong letters.
func TestEncodingsAgree(t *testing.T) {
	const text = `{"mcpServers": {"a": {"command": "a", "args": ["/home/J@rgen"]}}}`
	for name, data := range map[string]string{"Latin-1": strings.Replace(text, "@", "\xfc", 1),
		"UTF-16": "\xff\xfe{\x00}\x00"} {
		folder, system := home(t, nil)
		path := filepath.Join(folder, "file.json")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, dropped := foreign.ReadFile(path)
		plan := Make(Options{System: system, File: path})
		if dropped == nil || len(plan.Servers) > 0 || len(plan.Skipped) != 1 ||
			plan.Skipped[0].Reason.String() != dropped.Error() {
			t.Errorf("%s: dropped: %v; imported: %d, %s", name, dropped, len(plan.Servers), reasons(plan))
		}
	}
}

// account returns what is said about a text, a line for each fact.
func account(found foreign.Found) (lines []string) {
	for i := range found.Entries {
		e := &found.Entries[i]
		lines = append(lines, e.Server.Name+" in "+e.Toolbox+" "+string(foreign.JSON(&e.Server)))
		for _, note := range e.Notes {
			lines = append(lines, "  "+note.String())
		}
		for _, blank := range e.Blanks {
			lines = append(lines, fmt.Sprintf("  ask %s %v", blank.Label, blank.Parts))
		}
		for _, s := range e.Secrets {
			lines = append(lines, fmt.Sprintf("  secret %v %s", s.Part, s.Keychain))
		}
	}
	for _, note := range found.Says() {
		lines = append(lines, note.String())
	}
	return lines
}

// imported checks that the plan of an import has what was found in the text: the same entries, except for values that
// have to be filled in, and all that was said. Two entries with the same content are one server.
func imported(t *testing.T, file string, found foreign.Found, failed error, plan Plan) {
	t.Helper()
	if failed != nil && len(plan.Servers) > 0 || failed != nil && len(plan.Skipped) == 0 {
		t.Errorf("%s: %d servers, %d left alone, and the page says %v", file, len(plan.Servers), len(plan.Skipped), failed)
	}
	var notes, planned []string
	for _, note := range found.Notes {
		notes = append(notes, note.String())
	}
	for _, note := range plan.Notes {
		planned = append(planned, note.String())
	}
	for _, note := range notes {
		if !slices.Contains(planned, note) {
			t.Errorf("%s: the plan does not say %q", file, note)
		}
	}
	for _, rest := range found.Rest {
		if !slices.ContainsFunc(plan.Skipped, func(s Skipped) bool {
			return s.Name == rest.Name && s.Reason.Equal(rest.Why)
		}) {
			t.Errorf("%s: the plan does not say why %q is left alone", file, rest.Name)
		}
	}
	if got := len(plan.Servers) + len(plan.Skipped); failed == nil && got > len(found.Entries)+len(found.Rest) {
		t.Errorf("%s: %d servers, %d left alone, of %d found", file, len(plan.Servers), len(plan.Skipped),
			len(found.Entries)+len(found.Rest))
	}
	for i := range found.Entries {
		e := &found.Entries[i]
		if slices.ContainsFunc(plan.Skipped, func(s Skipped) bool {
			return s.Name == e.At.Name || s.Name == e.Server.Name
		}) {
			continue
		}
		at := slices.IndexFunc(plan.Servers, func(f Found) bool {
			there := slices.ContainsFunc(f.origins(), func(o Origin) bool {
				return o.Name == e.At.Name || o.Name == e.Server.Name
			})
			same := f.Entry
			same.Name = e.Server.Name // names are made unique in the toolbox into which they come
			return there && slices.Equal(names(&same), names(&e.Server)) && (len(e.Blanks) > 0 || same.Equal(&e.Server))
		})
		if at < 0 {
			t.Errorf("%s: %s is not in the plan as it was found", file, e.Server.Name)
			continue
		}
		for _, note := range e.Notes {
			if note = note.Map(inLine); !slices.ContainsFunc(plan.Servers[at].Notes, note.Equal) {
				t.Errorf("%s: %s: the plan does not say %q", file, e.Server.Name, note)
			}
		}
		said := e.Notes
		for _, same := range found.Entries {
			if slices.ContainsFunc(plan.Servers[at].origins(), func(o Origin) bool { return o.Name == same.At.Name }) {
				said = slices.Concat(said, same.Notes)
			}
		}
		for _, note := range plan.Servers[at].Notes { // the plan itself speaks of names and of what it filled in
			if found := strings.HasPrefix(string(note.Code), "foreign."); found &&
				!slices.ContainsFunc(said, func(n words.Text) bool { return n.Map(inLine).Equal(note) }) {
				t.Errorf("%s: %s: only the plan says %q", file, e.Server.Name, note)
			}
		}
	}
}

// names returns the names of the fields, variables and headers that a server has.
func names(s *config.Server) (list []string) {
	list = append(list, string(s.Transport), fmt.Sprint(len(s.Args)), strings.Join(s.ToolFilters, ","))
	for _, v := range slices.Concat(s.Env, s.Headers) {
		list = append(list, v.Name)
	}
	return list
}
