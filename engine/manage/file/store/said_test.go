package store

import (
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestHistorySaysWhatWasDone: the label of an edit in the history can be shown in any language. Of a very
// long sentence only the label is kept.
func TestHistorySaysWhatWasDone(t *testing.T) {
	one, two := edit.AddToolbox{Name: "prod"}, edit.RenameToolbox{Name: "dev", To: "test"}
	check(t, "one operation is said as itself", SayingFor(one).Code, edit.Says(one).Code)
	check(t, "several are said together", SayingFor(one, two).Code, words.Code("store.edits"))
	p := placed(t, small)
	s := p.open()
	edited(t, s, LabelFor(one), Edits(one))
	versions, err := s.History()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "the newest version", versions[0].Says.Code, edit.Says(one).Code)
	for source, size := range map[string]int{"{}": maxSays, "{ }": maxSays + 1} {
		says := words.New("command.label_fixed", "Count", "")
		says = words.New("command.label_fixed", "Count", strings.Repeat("a ", maxSays)[:size-says.Size()])
		if says.Size() != size {
			t.Fatalf("a sentence of %d bytes, want %d", says.Size(), size)
		}
		if _, err := s.history.record(s.location.Path, []byte(source), Version{Label: "long", Says: says},
			time.Now()); err != nil {
			t.Fatal(err)
		}
		versions, err := s.History()
		if err != nil {
			t.Fatal(err)
		}
		check(t, "a sentence is kept", versions[0].Says.IsZero(), size > maxSays)
	}
}

// TestNumbersCanBeSecrets: a secret may be a number.
func TestNumbersCanBeSecrets(t *testing.T) {
	found := findSecrets([]byte(`{"toolboxes": {"a": {"mcpServers": {"s": {"command": "x", "env": {"API_KEY": 1234567890123456, "PORT": 1234567890123456, "TOKEN": true}}}}}}`))
	if len(found) != 1 || found[0].value != "1234567890123456" {
		t.Errorf("found is %+v", found)
	}
}

// TestWhatWasThere: in a file with errors, an entry without errors is taken as it was, and one with errors as
// it is now. If the latter has gone, or the errors are elsewhere, everything is taken as it is now.
func TestWhatWasThere(t *testing.T) {
	const after = `{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"new"},"bad":{"command":"new"}}}}}`
	for name, test := range map[string]struct{ before, after, good, bad string }{
		"an entry with an error": {`{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"old"},"bad":{"command":"old","callTimeout":"x"}}}}}`, after, "old", "new"},
		"without errors": {`{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"old"},"bad":{"command":"old"}}}}}`,
			after, "old", "old"},
		"an error elsewhere": {`{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"old"},"bad":{"command":"old"}},"x":1},"y":7}}`, after, "new", "new"},
		"the entry has gone": {
			`{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"old"},"bad":{"command":"old","callTimeout":"x"}}}}}`,
			`{"toolboxes":{"dev":{"mcpServers":{"good":{"command":"new"}}}}}`, "new", "",
		},
	} {
		was, _ := wasThere(config.Parse("x", []byte(test.before)), config.Parse("x", []byte(test.after))).Toolbox("dev")
		for server, want := range map[string]string{"good": test.good, "bad": test.bad} {
			got := ""
			if found, ok := was.Server(server); ok {
				got = found.Command
			}
			if got != want {
				t.Errorf("%s: %s was %q, want %q", name, server, got, want)
			}
		}
	}
}
