package add

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// TestWheelInReview checks that the mouse wheel scrolls the review, also over the fields for the names of servers.
func TestWheelInReview(t *testing.T) {
	o := newOpened(t).show(fyne.NewSize(800, 400), Start{Way: WayPaste, Text: `{"mcpServers": {
		"a": {"command": "npx", "args": ["a"]}, "b": {"command": "npx", "args": ["b"]}, "c": {"command": "npx", "args": ["c"]}}}`})
	o.tap("Continue")
	if o.review == nil {
		t.Fatal("the review is not shown")
	}
	var name *kit.Input
	for _, object := range test.LaidOutObjects(o.window.Canvas().Overlays().Top()) {
		if input, is := object.(*kit.Input); is && input.Text == "a" {
			name = input
		}
	}
	before := fyne.CurrentApp().Driver().AbsolutePositionForObject(name)
	test.Scroll(o.window.Canvas(), before.AddXY(30, 10), 0, -40)
	if after := fyne.CurrentApp().Driver().AbsolutePositionForObject(name); after.Y != before.Y-40 {
		t.Errorf("the field was at %v and is at %v", before, after)
	}
}
