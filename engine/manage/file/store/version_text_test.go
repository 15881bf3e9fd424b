package store

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestTextOfVersions: if a version has a sentence that this program does not know, its label is shown.
func TestTextOfVersions(t *testing.T) {
	unknown := words.New("store.from_the_future", "Name", "x")
	for _, test := range []struct {
		says words.Text
		want string
	}{
		{words.Text{}, "label"},
		{words.New("store.file_made"), "make the file"},
		{words.New("command.label_fixed", "Count", 2), "fixed 2 problems"},
		{unknown, "label"},
		{words.New("store.undo", "What", unknown), "label"},
		{words.New("store.edits", "Edits", []words.Text{words.New("store.file_made"), unknown}), "label"},
	} {
		if got := (Version{Label: "label", Says: test.says}).Text().String(); got != test.want {
			t.Errorf("%v is shown as %q, not %q", test.says, got, test.want)
		}
	}
}
