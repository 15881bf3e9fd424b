package links

import (
	"os"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestClass makes a program open links by the registry, and undoes it.
func TestClass(t *testing.T) {
	c := class{`Software\Classes\workbench-test`}
	t.Cleanup(func() { _ = c.remove() }) // clean up
	const program = `C:\Program Files\Workbench\workbench-desktop.exe`
	if status, err := c.status(program); err != nil || status != (Status{}) {
		t.Fatalf("at first, the status is %+v, %v", status, err)
	}
	if err := c.register(program); err != nil {
		t.Fatal(err)
	}
	if status, err := c.status(program); err != nil || status != (Status{On: true, Own: true}) {
		t.Errorf("switched on, the status is %+v, %v", status, err)
	}
	if status, _ := c.status(`C:\elsewhere.exe`); status.On || status.Other != program {
		t.Errorf("for another program, the status is %+v", status)
	}
	if err := c.remove(); err != nil {
		t.Error(err)
	}
	if _, err := registry.OpenKey(registry.CURRENT_USER, c.key, registry.QUERY_VALUE); err != registry.ErrNotExist {
		t.Errorf("the key is still there: %v", err)
	}
}

// TestInstalled checks that the installer writes the same values as the program.
func TestInstalled(t *testing.T) {
	program := os.Getenv("WORKBENCH_INSTALLED")
	if program == "" {
		t.Skip("nothing is installed here; packaging/windows/check-installer installs it")
	}
	handler, err := New(os.Getenv, program)
	if err != nil {
		t.Fatal(err)
	}
	if status, err := handler.Status(); err != nil || status != (Status{On: true, Own: true}) {
		t.Errorf("the links are %+v, %v", status, err)
	}
	for _, value := range ClassValues(ClassKey, program) {
		key, err := registry.OpenKey(registry.CURRENT_USER, value[0], registry.QUERY_VALUE)
		if err != nil {
			t.Fatalf("%s: %v", value[0], err)
		}
		text, _, err := key.GetStringValue(value[1])
		_ = key.Close()
		if err != nil || text != value[2] {
			t.Errorf("%s, %q is %q, %v; want %q", value[0], value[1], text, err, value[2])
		}
	}
}
