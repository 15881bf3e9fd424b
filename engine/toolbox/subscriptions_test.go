package toolbox

import (
	"fmt"
	"slices"
	"testing"
)

// TestSubscriptions: an update comes under each name that the client has subscribed to, and the server is told when
// the last of them is given up.
func TestSubscriptions(t *testing.T) {
	var s subscriptions
	server, other := ServerID{"t", "s"}, ServerID{"t", "o"}
	folder := target{server, "file:///a"}
	s.add("file:///a", folder)
	s.add("workbench://from/t/s/file:///a", folder)
	s.add("x://o", target{other, "file:///a"})

	names := s.of(server, "file:///a/b.txt")
	slices.Sort(names)
	if want := []string{"file:///a/b.txt", "workbench://from/t/s/file:///a/b.txt"}; !slices.Equal(names, want) {
		t.Errorf("an update of a part comes as %q, want %q", names, want)
	}
	if names := s.of(server, "file:///ab"); len(names) != 0 {
		t.Errorf("another file of a similar name comes as %q", names)
	}
	if _, last := s.remove("file:///a"); last {
		t.Error("the server is told although the client has another name for the resource")
	}
	if got, last := s.remove("workbench://from/t/s/file:///a"); !last || got != folder {
		t.Errorf("the last name was of %v, last: %v", got, last)
	}
	if _, last := s.remove("file:///a"); last {
		t.Error("what was given up is given up again")
	}
}

// TestSubscriptionsAreBounded: one that exists can be renewed when there is no room for another.
func TestSubscriptionsAreBounded(t *testing.T) {
	var s subscriptions
	for i := range maxSubscriptions {
		if !s.add(fmt.Sprint(i), target{}) {
			t.Fatalf("number %d is refused", i)
		}
	}
	if s.add("another", target{}) || !s.add("0", target{}) {
		t.Error("the limit is wrong")
	}
}
