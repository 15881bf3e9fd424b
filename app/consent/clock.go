package consent

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// clock shows how much time is left for the answer, as a bar and in words.
type clock struct {
	begun, until time.Time
	now          func() time.Time
	meter        *fyne.Container
	left         *kit.Text
	object       fyne.CanvasObject
}

// newClock returns a clock. It shows nothing if until is zero.
func newClock(until time.Time, now func() time.Time) *clock {
	c := &clock{begun: now(), until: until, now: now,
		left: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})}
	c.meter = kit.Column(0, kit.NewMeter(1, 0))
	c.object = kit.Row(kit.Gap, kit.Rest(c.meter), c.left)
	kit.SetVisible(c.object, !until.IsZero())
	c.tell()
	return c
}

// tell shows the time that is left now.
func (c *clock) tell() {
	left := max(0, c.until.Sub(c.now()).Round(time.Second))
	share := 0.0
	if all := c.until.Sub(c.begun); all > 0 {
		share = float64(left) / float64(all)
	}
	c.meter.Objects = []fyne.CanvasObject{kit.NewMeter(share, 0)}
	c.meter.Refresh()
	c.left.Set(lang.L("{{.Time}} left", map[string]any{"Time": kit.Duration(max(left, time.Second))}))
}

// run makes the clock go until stop is called.
func (c *clock) run(tasks *task.Tasks) (stop func()) {
	if c == nil || c.until.IsZero() {
		return func() {}
	}
	var end func()
	over := false
	var tick func()
	tick = func() {
		if over {
			return
		}
		c.tell()
		if c.now().Before(c.until) {
			end = tasks.Later(time.Second, tick)
		}
	}
	end = tasks.Later(time.Second, tick)
	return func() {
		over = true
		end()
	}
}
