package process

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
)

func TestSort(t *testing.T) {
	// 1 is the server, 2 its helper, 3 a browser that the helper has opened, 4 and 5 are of the browser.
	parents := map[uint32]uint32{1: 100, 2: 1, 3: 2, 4: 3, 5: 4, 6: 7, 7: 6}
	for _, test := range []struct {
		windows []uint32
		ending  []uint32
		spared  bool
	}{
		{nil, []uint32{1, 2, 3, 4, 5, 6, 7}, false}, {[]uint32{3}, []uint32{1, 2, 6, 7}, true},
		{[]uint32{1}, []uint32{1, 2, 3, 4, 5, 6, 7}, false},
		{[]uint32{1, 5, 100}, []uint32{1, 2, 3, 4, 6, 7}, true},
	} {
		shown := map[uint32]bool{}
		for _, pid := range test.windows {
			shown[pid] = true
		}
		if got := sort([]uint32{1, 2, 3, 4, 5, 6, 7}, 1, shown, parents); !slices.Equal(got.ending, test.ending) ||
			got.spared != test.spared {
			t.Errorf("with windows of %v: %+v", test.windows, got)
		}
	}
}

// TestWhatHasAWindowStays: the browser that a server has opened stays when the server is stopped, whatever else ends.
func TestWhatHasAWindowStays(t *testing.T) {
	for name, mode := range map[string]string{"a server that ends": "wait-stdin", "one that has to be ended": "sleep",
		"one that ends by itself": "exit=0"} {
		t.Run(name, func(t *testing.T) {
			var browser uint32
			var mu sync.Mutex
			g := newGroup()
			g.withWindows = func() map[uint32]bool {
				mu.Lock()
				defer mu.Unlock()
				return map[uint32]bool{browser: browser != 0}
			}
			mu.Lock() // a server that ends by itself must not end before the browser is known
			p, lines := started(t, g, spec(t, "grandchild=pid+sleep grandchild=pid+sleep "+mode))
			browser = uint32(readPid(t, lines))
			other := readPid(t, lines)
			mu.Unlock()
			handle, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, browser)
			if err != nil {
				t.Fatal(err)
			}
			defer windows.CloseHandle(handle)
			defer windows.TerminateProcess(handle, 0)
			otherEnded := watched(t, other)
			if err := p.Stop(context.Background()); err != nil {
				t.Error(err)
			}
			otherEnded()
			awaitDone(t, p)
			if event, _ := windows.WaitForSingleObject(handle, 0); event == windows.WAIT_OBJECT_0 {
				t.Error("the browser is gone")
			}
		})
	}
}

// TestWithWindows: the windows of the system are found.
func TestWithWindows(t *testing.T) {
	user32 := windows.NewLazySystemDLL("user32.dll")
	class, _ := windows.UTF16PtrFromString("STATIC")
	const popup, visible = 0x80000000, 0x10000000
	window, _, err := user32.NewProc("CreateWindowExW").Call(0, uintptr(unsafe.Pointer(class)), 0, popup|visible, 0, 0,
		10, 10, 0, 0, 0, 0)
	if window == 0 {
		underwine.Skip(t, "windows without a display: "+err.Error())
		t.Fatal(err)
	}
	defer user32.NewProc("DestroyWindow").Call(window)
	if pid := uint32(os.Getpid()); !withWindows()[pid] {
		t.Error("our own window is not found")
	}
}

// TestWithoutAJob: where a server can join no job of ours, it runs all the same, the log says so, and stopping it ends
// what it has started.
func TestWithoutAJob(t *testing.T) {
	var log strings.Builder
	s := spec(t, "grandchild=pid+sleep sleep")
	g := newGroup()
	g.assign = func(windows.Handle, windows.Handle) error { return windows.ERROR_ACCESS_DENIED }
	s.Logger = slog.New(slog.NewTextHandler(&log, nil))
	p, lines := started(t, g, s)
	said := log.String()
	awaitEnd := watched(t, readPid(t, lines))
	if !strings.Contains(said, "job object") {
		t.Errorf("the log says %q", said)
	}
	if err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	awaitEnd()
	awaitDone(t, p)
}
