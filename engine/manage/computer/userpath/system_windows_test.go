package userpath

import (
	"strings"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestRegistry: the kind of the value stays, nothing of a long one is lost, and a value that was not there
// before is gone afterwards.
func TestRegistry(t *testing.T) {
	const place, folder = `Software\WorkbenchUserPathTest`, `C:\Workbench`
	k, _, err := registry.CreateKey(registry.CURRENT_USER, place, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.DeleteKey(registry.CURRENT_USER, place) })
	t.Cleanup(func() { k.Close() })
	twice := func(kind uint32, before string) {
		t.Helper()
		for _, step := range []struct {
			add  bool
			want string
		}{{true, strings.TrimPrefix(before+";"+folder, ";")}, {false, before}} {
			if err := change(place, folder, step.add); err != nil {
				t.Fatal(err)
			}
			got, kindNow, err := k.GetStringValue("Path")
			if step.want == "" && err != registry.ErrNotExist {
				t.Errorf("%q is left, %v", got, err)
			} else if step.want != "" && (got != step.want || kindNow != kind || err != nil) {
				t.Errorf("it is %.100q of kind %d, %v; want %.100q of kind %d", got, kindNow, err, step.want, kind)
			}
		}
	}
	twice(registry.EXPAND_SZ, "")
	long := strings.Repeat(`%USERPROFILE%\a;`, 1500) + `C:\b`
	k.SetExpandStringValue("Path", long)
	twice(registry.EXPAND_SZ, long)
	k.SetStringValue("Path", `C:\100%;C:\b`)
	twice(registry.SZ, `C:\100%;C:\b`)
	k.SetDWordValue("Path", 7)
	if err := change(place, folder, true); err == nil {
		t.Error("a value that is no text is changed")
	}
}
