package toolbox

import (
	"fmt"
	"strings"
	"testing"
)

// TestOwnersKeepWhatTheyHave: what has come from one server stays with it, whoever names it next.
func TestOwnersKeepWhatTheyHave(t *testing.T) {
	var o owners
	first, second := ServerID{"t", "first"}, ServerID{"t", "second"}
	for range 2 { // to add it again changes nothing
		if !o.add("task", first) {
			t.Error("a task is refused to its server")
		}
	}
	if o.add("task", second) {
		t.Error("a task has changed hands")
	}
	if !o.belongs("task", first) || o.belongs("task", second) || o.belongs("other", first) {
		t.Error("a task is another server's")
	}
	for _, name := range []string{"", strings.Repeat("x", maxOwned+1)} {
		if o.add(name, first) {
			t.Errorf("a name of %d bytes is remembered", len(name))
		}
	}
	o.noteElicitation(second, []byte(`{"elicitationId":"e1"}`))
	o.noteElicitation(second, []byte(`{"elicitationId":7}`))
	if !o.belongs("e1", second) || o.belongs("7", second) {
		t.Error("elicitations have the wrong owners")
	}
}

// TestOwnersAreBounded: a server that names ever more things loses its own oldest ones, and nobody else's.
func TestOwnersAreBounded(t *testing.T) {
	var o owners
	busy, other := ServerID{"t", "busy"}, ServerID{"t", "other"}
	o.add("kept", other)
	for i := range maxOwners + 1 {
		o.add(fmt.Sprint(i), busy)
	}
	if o.belongs("0", busy) || !o.belongs("1", busy) || !o.belongs(fmt.Sprint(maxOwners), busy) ||
		!o.belongs("kept", other) {
		t.Error("the wrong things are forgotten")
	}
	if len(o.by) != maxOwners+1 {
		t.Errorf("%d things are remembered", len(o.by))
	}
}
