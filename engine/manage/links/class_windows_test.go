package links

import (
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestClass has the registry open links with a program, and takes that back.
func TestClass(t *testing.T) {
	c := class{`Software\Classes\workbench-test`}
	t.Cleanup(func() { _ = c.remove() }) // what is left of it
	const program = `C:\Program Files\Workbench\workbench-desktop.exe`
	if status, err := c.status(program); err != nil || status != (Status{}) {
		t.Fatalf("at first it is %+v, %v", status, err)
	}
	if err := c.register(program); err != nil {
		t.Fatal(err)
	}
	if status, err := c.status(program); err != nil || status != (Status{On: true, Own: true}) {
		t.Errorf("on it is %+v, %v", status, err)
	}
	if status, _ := c.status(`C:\elsewhere.exe`); status.On || status.Other != program {
		t.Errorf("for another program it is %+v", status)
	}
	if err := c.remove(); err != nil {
		t.Error(err)
	}
	if _, err := registry.OpenKey(registry.CURRENT_USER, c.key, registry.QUERY_VALUE); err != registry.ErrNotExist {
		t.Errorf("what is left: %v", err)
	}
}
