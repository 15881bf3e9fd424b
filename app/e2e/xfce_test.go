//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// xfcePanel is the configuration of an Xfce panel with only a tray, along the upper edge of the display.
const xfcePanel = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
`

// The tray of a real desktop draws our icon and menu. The icon shows each change of state, a click opens the window,
// and an open menu is updated, too.
func TestXfce(t *testing.T) {
	needs(t, "xfce4-panel")
	s := newSession(t, configured(map[string]any{"memory": fake(fakeserver.Script{})}))
	folder := filepath.Join(s.folder, ".config", "xfce4", "xfconf", "xfce-perchannel-xml")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "xfce4-panel.xml"), []byte(xfcePanel), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, s.env, "xfce4-panel", "--disable-wm-check")
	s.run(t, "--hidden") // waits for the tray
	d := s.display
	bar, below := image.Rect(4, 2, 1270, 30), image.Rect(0, 34, 1280, 800)
	var icon image.Point
	eventually(t, func() error {
		var found bool
		if icon, found = d.busy(bar); !found {
			return errors.New("the panel shows no icon")
		}
		return nil
	})
	changes := func(part image.Rectangle, what string, do func()) {
		t.Helper()
		before := d.pixels(part)
		do()
		eventually(t, func() error {
			if slices.Equal(d.pixels(part), before) {
				return errors.New(what)
			}
			return nil
		})
	}
	client := s.newEngine(t)
	changes(bar, "the icon does not say that all is well", func() { client.open(t, "dev") })

	// The right button opens the menu, and keys open its submenus: of the toolbox and of the server. An empty menu is
	// only a few pixels high.
	var menus [3]image.Rectangle
	isOpen := func(level int) func() error {
		return func() error {
			left := 0
			if level > 0 {
				left = menus[level-1].Max.X + 2
			}
			menus[level] = d.busyPart(image.Rect(left, below.Min.Y, below.Max.X, below.Max.Y))
			if menus[level].Dx() < 60 || menus[level].Dy() < 25 {
				return fmt.Errorf("the menu of level %d has the place %v", level, menus[level])
			}
			return nil
		}
	}
	eventually(t, func() error {
		for range 4 {
			d.key("Escape")
		}
		d.move(icon)
		d.button(3)
		for level, keys := range [][]string{nil, {"Down", "Right"}, {"Right"}} {
			for _, key := range keys {
				d.key(key)
			}
			if err := soon(isOpen(level)); err != nil {
				return err
			}
		}
		return nil
	})
	beside, all := menus[1], d.busyPart(below)
	s.picture(t, "xfce")

	// While all menus are open, the server dies. The menus show that and stay open.
	servers := client.servers(t)
	if len(servers) != 1 {
		t.Fatalf("the engine has the processes %v", servers)
	}
	changes(beside, "the open menu does not say that the server has died", func() {
		if err := syscall.Kill(servers[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	})
	if now := d.busyPart(below); now.Dx() < all.Dx()*9/10 {
		t.Errorf("menus have closed: their place was %v, and is %v", all, now)
	}
	s.picture(t, "xfce-died")
	for range 3 {
		d.key("Escape")
	}
	eventually(t, func() error {
		d.click(icon)
		return soon(s.hasWindow)
	})
}

// busy returns the middle of an object that is drawn on an even background.
func (d *screen) busy(part image.Rectangle) (image.Point, bool) {
	d.t.Helper()
	found := d.busyPart(part)
	return found.Min.Add(found.Max).Div(2), !found.Empty()
}

// busyPart returns the part of the display in which something is drawn on an even background. The background is the
// colour of the lower right corner.
func (d *screen) busyPart(part image.Rectangle) image.Rectangle {
	d.t.Helper()
	picture := d.picture(part)
	ground := picture.RGBAAt(part.Dx()-1, part.Dy()-1)
	var found image.Rectangle
	for y := range part.Dy() {
		for x := range part.Dx() {
			if picture.RGBAAt(x, y) != ground {
				found = found.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return found.Add(part.Min)
}
