package autostart

import (
	"errors"
	"testing"

	"golang.org/x/sys/windows/registry"
)

func TestRegistry(t *testing.T) {
	const test = `Software\WorkbenchTest`
	r := run{test + `\Run`, test + `\Approved`}
	t.Cleanup(func() {
		for _, key := range []string{r.list, r.approved, test} {
			_ = registry.DeleteKey(registry.CURRENT_USER, key) // clean up
		}
	})
	a := &Autostart{system: r}
	const program = `C:\Program Files\Workbench\workbench-desktop.exe`
	if status, err := a.Status(program); err != nil || status.On {
		t.Fatalf("at first, the status is %+v, %v", status, err)
	}
	if err := a.Disable(); err != nil {
		t.Error(err)
	}
	if err := a.Enable(program); err != nil {
		t.Fatal(err)
	}
	if status, err := a.Status(program); err != nil || !status.On || status.Moved {
		t.Errorf("switched on, the status is %+v, %v", status, err)
	}
	if status, _ := a.Status(`C:\elsewhere.exe`); !status.Moved {
		t.Errorf("after a move, the status is %+v", status)
	}
	approved, _, err := registry.CreateKey(registry.CURRENT_USER, r.approved, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer approved.Close()
	if err := approved.SetBinaryValue(Name, []byte{3, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if status, err := a.Status(program); err != nil || status.On {
		t.Errorf("switched off in the task manager, the status is %+v, %v", status, err)
	}
	if err := a.Enable(program); err != nil {
		t.Fatal(err)
	}
	if status, err := a.Status(program); err != nil || !status.On {
		t.Errorf("switched on again, the status is %+v, %v", status, err)
	}
	if err := a.Disable(); err != nil {
		t.Fatal(err)
	}
	if status, err := a.Status(program); err != nil || status.On {
		t.Errorf("switched off, the status is %+v, %v", status, err)
	}
	list, _, err := registry.CreateKey(registry.CURRENT_USER, r.list, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for _, foreign := range []string{`C:\other.exe --hidden`, `"C:\workbench.exe"`, ``} {
		if err := list.SetStringValue(Name, foreign); err != nil {
			t.Fatal(err)
		}
		if err := a.Enable(program); !errors.Is(err, ErrForeign) {
			t.Errorf("%q is overwritten: %v", foreign, err)
		}
	}
}
