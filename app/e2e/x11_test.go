//go:build linux

package e2e

import (
	"image"
	"io"
	"log"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/res"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// screen is a connection to the display of a session, with a mouse and a keyboard. It is faster than xdotool and
// import, which need a process for each action, so that times can be measured.
type screen struct {
	t    *testing.T
	conn *xgb.Conn
	root xproto.Window
	keys map[xproto.Keysym]xproto.Keycode // keys that need no modifier
}

// newScreen connects to the display of a session.
func newScreen(t *testing.T, s *session) *screen {
	t.Helper()
	var name string
	for _, variable := range s.env {
		if value, ok := strings.CutPrefix(variable, "DISPLAY="); ok {
			name = value
		}
	}
	xgb.Logger = log.New(io.Discard, "", 0) // otherwise it reports that the display needs no login
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	for extension, start := range map[string]func(*xgb.Conn) error{"XTEST": xtest.Init, "X-Resource": res.Init} {
		if err := start(conn); err != nil {
			t.Fatalf("the display has no %s: %v", extension, err)
		}
	}
	setup := xproto.Setup(conn)
	d := &screen{t: t, conn: conn, root: setup.DefaultScreen(conn).Root, keys: map[xproto.Keysym]xproto.Keycode{}}
	first, count := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	mapping, err := xproto.GetKeyboardMapping(conn, first, count).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for i := range int(count) {
		if symbol := mapping.Keysyms[i*int(mapping.KeysymsPerKeycode)]; symbol != 0 {
			if _, known := d.keys[symbol]; !known {
				d.keys[symbol] = first + xproto.Keycode(i)
			}
		}
	}
	return d
}

// named are the keys that are not letters or digits.
var named = map[string]xproto.Keysym{
	"ctrl": 0xffe3, "shift": 0xffe1, "alt": 0xffe9, "Return": 0xff0d, "Escape": 0xff1b, "Tab": 0xff09,
	"BackSpace": 0xff08,
	"Home":      0xff50, "End": 0xff57, "Up": 0xff52, "Down": 0xff54, "Left": 0xff51, "Right": 0xff53, "minus": '-',
	"period": '.', "space": ' ',
}

func (d *screen) input(kind, detail byte, x, y int) {
	if err := xtest.FakeInputChecked(d.conn, kind, detail, 0, d.root, int16(x), int16(y), 0).Check(); err != nil {
		d.t.Fatal(err)
	}
}

// key presses keys together, such as "ctrl+z".
func (d *screen) key(combination string) {
	d.t.Helper()
	var codes []xproto.Keycode
	for _, name := range strings.Split(combination, "+") {
		symbol, ok := named[name]
		if !ok {
			symbol = xproto.Keysym(name[0])
		}
		code, ok := d.keys[symbol]
		if !ok {
			d.t.Fatalf("the keyboard has no key %q", name)
		}
		codes = append(codes, code)
	}
	for _, code := range codes {
		d.input(xproto.KeyPress, byte(code), 0, 0)
	}
	for _, code := range slices.Backward(codes) {
		d.input(xproto.KeyRelease, byte(code), 0, 0)
	}
}

// types types a text of lower-case letters and digits.
func (d *screen) types(text string) {
	for _, letter := range text {
		d.key(string(letter))
	}
}

func (d *screen) move(at image.Point) { d.input(xproto.MotionNotify, 0, at.X, at.Y) }

// button clicks a mouse button: 1 is the left one, 4 and 5 turn the wheel.
func (d *screen) button(number byte) {
	d.input(xproto.ButtonPress, number, 0, 0)
	d.input(xproto.ButtonRelease, number, 0, 0)
}

func (d *screen) click(at image.Point) {
	d.move(at)
	d.button(1)
}

// pixels returns what a part of the display shows.
func (d *screen) pixels(part image.Rectangle) []byte {
	d.t.Helper()
	picture, err := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(d.root),
		int16(part.Min.X), int16(part.Min.Y), uint16(part.Dx()), uint16(part.Dy()), 0xffffffff).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	return picture.Data
}

// picture returns a picture of a part of the display.
func (d *screen) picture(part image.Rectangle) *image.RGBA {
	pixels := d.pixels(part)
	picture := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	for i := 0; i+3 < len(pixels) && i < len(picture.Pix); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] = pixels[i+2], pixels[i+1], pixels[i], 0xff
	}
	return picture
}

// counts returns how many pixels of a part of the display have a colour.
func (d *screen) counts(part image.Rectangle, color uint32) int {
	pixels, count := d.pixels(part), 0
	for i := 0; i+3 < len(pixels); i += 4 {
		if uint32(pixels[i+2])<<16|uint32(pixels[i+1])<<8|uint32(pixels[i]) == color {
			count++
		}
	}
	return count
}

// answer calls do and measures how long it takes until a part of the display changes. It returns false if nothing
// changes within a second.
func (d *screen) answer(part image.Rectangle, do func()) (time.Duration, bool) {
	before := d.pixels(part)
	begun := time.Now()
	do()
	for time.Since(begun) < time.Second {
		if !slices.Equal(d.pixels(part), before) {
			return time.Since(begun), true
		}
		time.Sleep(2 * time.Millisecond)
	}
	return 0, false
}

// resources returns how many windows, pixmaps and other objects a program has in the X server.
func (d *screen) resources(pid int) int {
	d.t.Helper()
	clients, err := res.QueryClients(d.conn).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	total := 0
	for _, client := range clients.Clients {
		ids, err := res.QueryClientIds(d.conn, 1,
			[]res.ClientIdSpec{{Client: client.ResourceBase, Mask: res.ClientIdMaskLocalClientPID}}).Reply()
		if err != nil || len(ids.Ids) == 0 || len(ids.Ids[0].Value) == 0 || int(ids.Ids[0].Value[0]) != pid {
			continue
		}
		held, err := res.QueryClientResources(d.conn, client.ResourceBase).Reply()
		if err != nil {
			continue // it has ended meanwhile
		}
		for _, kind := range held.Types {
			total += int(kind.Count)
		}
	}
	return total
}
