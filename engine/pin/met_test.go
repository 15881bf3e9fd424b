package pin

import (
	"encoding/json"
	"testing"
)

// TestMet: what is known of a server's starts is kept in the file, whatever else is stored there, and a damaged line
// of it is the same as none.
func TestMet(t *testing.T) {
	reads := []Definition{{"a", json.RawMessage(`{"name":"a","annotations":{"readOnlyHint":true}}`)},
		InstructionsOf("Be kind.")}
	met := Met{Answer: Hash{1}}
	var none *Record
	if none.Meeting(met) != nil || none.Shareable() {
		t.Error("of a server without tools something is known")
	}
	r := none.With("b/s", reads, "1", false).Meeting(met)
	if r.Shareable() {
		t.Error("a server is shared after one start")
	}
	r = r.AskingForRoots().Meeting(met)
	if none.AskingForRoots() != nil || r.AskingForRoots() != r {
		t.Error("what asks for roots is recorded twice")
	}
	if again := r.Meeting(met); again != r {
		t.Error("one more start that is alike changes the record")
	}
	for what, next := range map[string]*Record{"nothing": r, "more tools": r.With("b/s", reads, "2", false),
		"words": r.WithWords(map[WordsID]Hash{{"prompt", "a"}: {}}, false)} {
		read, err := decode(next.encode())
		if err != nil || read.Met != (Met{Hash{1}, true, false, true}) || !read.Shareable() {
			t.Errorf("after %s, the file has %+v, %v", what, read.Met, err)
		}
	}
	acts := []Definition{{"a", json.RawMessage(`{"name":"a","annotations":{"readOnlyHint":true}}`)},
		{"b", json.RawMessage(`{"name":"b","annotations":{"readOnlyHint":true,"destructiveHint":true}}`)}}
	if r.With("b/s", acts, "2", true).Shareable() {
		t.Error("a server with a tool that destroys something is shared")
	}
	changed := []Definition{{"a", json.RawMessage(`{"name":"a","title":"x","annotations":{"readOnlyHint":true}}`)}}
	waits := r.With("b/s", changed, "2", false)
	if waits.Shareable() || waits.decide(waits.Changes(), true).Met != r.Met {
		t.Error("a server whose tools wait for a person is shared, or is forgotten with the decision")
	}
	for _, head := range []string{`{"met":1}`, `{"met":"00"}`, `{"alike":true,"modern":true}`} {
		if got := metIn(json.RawMessage(head)); got != (Met{}) {
			t.Errorf("%s gives %+v", head, got)
		}
	}
}
