package links

import "testing"

// TestBundle checks that the bundle says which program opens links, and that this cannot be changed here.
func TestBundle(t *testing.T) {
	var b bundle
	if status, err := b.status("/Applications/Workbench.app"); err != nil || !status.On || !status.Fixed {
		t.Errorf("the status is %+v, %v", status, err)
	}
	if b.register("") != nil || b.remove() != nil {
		t.Error("a fixed registration has failed")
	}
}
