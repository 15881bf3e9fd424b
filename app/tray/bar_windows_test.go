package tray

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"fyne.io/systray"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The menu of Windows keeps its entries in their order, whichever of them are hidden, shown or renamed. A click on an
// entry does what the entry says. packaging/windows/check-tray runs this test under Wine.
func TestTheMenuOfWindows(t *testing.T) {
	var said strings.Builder // what the library logs when a call of Windows fails
	log.SetOutput(&said)
	defer log.SetOutput(os.Stderr)
	d := newThread(t)
	did := make(chan string, 10)
	bar := &shellBar{menuBar{
		app:     &drawer{},
		actions: acting{func(action Action) { did <- fmt.Sprint(action) }, func() { did <- "quit" }},
		tasks:   task.New(d.do),
	}}
	state := func(login bool, clients []string, servers ...Server) State {
		return State{Login: login, Clients: clients,
			Toolboxes: []Toolbox{{Name: "R & D", Servers: servers}, {Name: "empty"}}}
	}
	show := func(state State, draw func([]Item)) {
		t.Helper()
		d.wait(func() { draw(Menu(state)) })
		if diff := cmp.Diff(lines(Menu(state), 0), d.menu()); diff != "" {
			t.Errorf("the menu of Windows (-want +got):\n%s", diff)
		}
	}
	idle, connected := Server{Name: "a_b", Text: "Not started", Start: "Start", Idle: true},
		Server{Name: "a_b", State: theme.StateConnected, CanStop: true, Text: "Connected", Start: "Restart"}
	wrong := Server{Name: "a_b", State: theme.StateWrong, Text: "Can't start", Help: "Show log", Start: "Try again"}
	key := Server{Name: "a_b", State: theme.StateKey, Text: "Needs sign-in", Help: "Sign in…", Start: "Restart"}
	off := Server{Name: "a_b", State: theme.StateDisabled, Text: "Switched off", Off: true}
	show(state(false, nil, idle, connected), bar.Menu)
	first := d.handle
	show(state(true, []string{"Zed — connected"}, connected, wrong), bar.Change)
	show(state(true, []string{"Zed — connected", "Cursor — connected"}, off, key), bar.Change)
	show(state(false, []string{"Zed — last seen"}, idle, off), bar.Change)
	show(state(false, nil, key, idle), bar.Change)
	show(State{Problem: "The configuration file has an error", Paused: true,
		Toolboxes: state(false, nil, wrong, connected).Toolboxes}, bar.Change)
	show(state(false, nil, idle, connected), bar.Change)
	if d.handle != first {
		t.Error("the menu was made again although only states have changed")
	}

	// With the keyboard: the last entry, and then the first entry of the toolbox's first server, which is Restart by
	// now.
	act := func(want string, keys ...uintptr) {
		t.Helper()
		for range 3 { // on a busy machine, Wine sometimes closes a menu before it has read the keys
			d.choose(keys...)
			select {
			case got := <-did:
				if got != want {
					t.Errorf("the action is %q, want %q", got, want)
				}
				return
			case <-time.After(5 * time.Second):
			}
		}
		t.Fatalf("the action %q does not come", want)
	}
	act("quit", windows.VK_UP, windows.VK_RETURN)
	act(fmt.Sprint(Action{VerbRestart, "R & D", "a_b"}), windows.VK_DOWN, windows.VK_DOWN, windows.VK_RIGHT, windows.VK_RIGHT,
		windows.VK_RETURN)

	show(state(false, nil, wrong), bar.Menu)
	show(state(false, nil, off), bar.Change)
	d.wait(bar.Close)
	d.until("the icon goes", func() bool { return find("SystrayClass") == 0 })
	if said.Len() > 0 {
		t.Errorf("the library has logged:\n%s", said.String())
	}
}

// lines returns how items look in a menu, with check marks and submenus.
func lines(items []Item, level int) []string {
	var out []string
	for _, item := range items {
		if item.Hidden {
			continue
		}
		line := strings.Repeat("    ", level) + item.Label
		switch {
		case item.Kind == KindSeparator:
			line = "---"
		case item.Kind == KindHeading:
			line += " (grey)"
		case item.Checked:
			line += " (ticked)"
		}
		out = append(append(out, strings.ReplaceAll(line, "&", "&&")), lines(item.Children, level+1)...)
	}
	return out
}

// windowThread is the goroutine of the window. Windows calls us on it, as in an app.
type windowThread struct {
	t      *testing.T
	work   chan func()
	window uintptr
	handle uintptr // the handle of the menu that was read last
}

func newThread(t *testing.T) *windowThread {
	d := &windowThread{t: t, work: make(chan func(), 100)}
	ended := make(chan struct{})
	ready := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer close(ended)
		systray.Register(func() { close(ready) }, nil)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var message [8]uintptr
		for {
			select {
			case work, open := <-d.work:
				if !open {
					return
				}
				work()
			case <-tick.C:
				for call("PeekMessageW", address(&message), 0, 0, 0, 1) != 0 {
					call("DispatchMessageW", address(&message))
				}
			}
		}
	}()
	t.Cleanup(func() {
		close(d.work)
		<-ended
	})
	select {
	case <-ready:
	case <-time.After(20 * time.Second):
		t.Fatal("there is no tray")
	}
	d.window = find("SystrayClass")
	return d
}

func (d *windowThread) do(f func()) { d.work <- f }

// wait runs a function on the goroutine and waits for it.
func (d *windowThread) wait(f func()) {
	done := make(chan struct{})
	d.do(func() {
		defer close(done)
		f()
	})
	<-done
}

// until waits until a condition holds.
func (d *windowThread) until(what string, so func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatalf("this did not happen within 20 seconds: %s", what)
		}
	}
}

// open clicks the icon with the right mouse button and returns the window of the menu.
func (d *windowThread) open() uintptr {
	d.t.Helper()
	const trayMessage, rightUp = 0x0401, 0x0205
	call("PostMessageW", d.window, trayMessage, 0, rightUp)
	var popup uintptr
	d.until("a menu opens", func() bool { popup = find("#32768"); return popup != 0 })
	return popup
}

// press types a key.
func (d *windowThread) press(key uintptr) {
	const keyDown, keyUp = 0x0100, 0x0101
	call("PostMessageW", d.window, keyDown, key, 0)
	call("PostMessageW", d.window, keyUp, key, 0)
}

// menu returns the lines of the open menu.
func (d *windowThread) menu() []string {
	d.t.Helper()
	const getMenu = 0x01E1
	popup := d.open()
	d.until("the menu is known", func() bool {
		d.handle = call("SendMessageW", popup, getMenu, 0, 0)
		return d.handle != 0
	})
	got := d.read(d.handle, 0)
	d.press(windows.VK_ESCAPE)
	d.until("the menu closes", func() bool { return find("#32768") == 0 })
	return got
}

// choose opens the menu and types keys until it is closed.
func (d *windowThread) choose(keys ...uintptr) {
	d.t.Helper()
	d.open()
	for _, key := range keys {
		d.press(key)
	}
	d.until("the menu closes", func() bool { return find("#32768") == 0 })
}

// read returns the lines of a menu from Windows.
func (d *windowThread) read(menu uintptr, level int) []string {
	d.t.Helper()
	var out []string
	for i := range call("GetMenuItemCount", menu) {
		var text [300]uint16
		// MENUITEMINFOW
		info := struct {
			size, mask, kind, state, id uint32
			sub, on, off, data          uintptr
			text                        *uint16
			length                      uint32
			picture                     uintptr
		}{mask: 0x0145, text: &text[0], length: uint32(len(text))} // its kind, text, submenu and state
		info.size = uint32(unsafe.Sizeof(info))
		if call("GetMenuItemInfoW", menu, i, 1, uintptr(unsafe.Pointer(&info))) == 0 {
			d.t.Fatalf("entry %d of a menu cannot be read", i)
		}
		const separator, grey, ticked = 0x0800, 0x0003, 0x0008
		line := strings.Repeat("    ", level) + syscall.UTF16ToString(text[:])
		switch {
		case info.kind&separator != 0:
			line = "---"
		case info.state&grey != 0:
			line += " (grey)"
		case info.state&ticked != 0:
			line += " (ticked)"
		}
		out = append(out, line)
		if info.sub != 0 {
			out = slices.Concat(out, d.read(info.sub, level+1))
		}
	}
	return out
}

// find returns the window of a class, or 0 if there is none.
func find(class string) uintptr {
	name, _ := windows.UTF16PtrFromString(class)
	return call("FindWindowW", uintptr(unsafe.Pointer(name)), 0)
}

// call calls a function of Windows.
func call(name string, args ...uintptr) uintptr {
	result, _, _ := windows.NewLazySystemDLL("user32.dll").NewProc(name).Call(args...)
	return result
}

func address(message *[8]uintptr) uintptr { return uintptr(unsafe.Pointer(message)) }
