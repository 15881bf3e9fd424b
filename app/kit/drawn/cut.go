package drawn

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// Cut lists the visible controls and texts that are narrower than they need to be or reach beyond the right edge of
// the window, and the pages whose content is wider than they are.
func Cut(canvas fyne.Canvas) []string {
	root := canvas.Overlays().Top()
	if root == nil {
		root = canvas.Content()
	}
	objects := test.LaidOutObjects(root)
	sideways := map[fyne.CanvasObject]bool{} // objects inside a horizontal scroll; they may be out of view
	for _, object := range objects {
		if scroll, is := object.(*container.Scroll); is && scroll.Direction == container.ScrollHorizontalOnly {
			for _, inside := range test.LaidOutObjects(scroll.Content) {
				sideways[inside] = true
			}
		}
	}
	var cut []string
	for _, object := range objects {
		if page, is := object.(*container.Scroll); is && page.Direction == container.ScrollVerticalOnly &&
			page.Size().Width > 0 {
			if needs := page.Content.MinSize().Width; needs > page.Size().Width+1 {
				cut = append(cut, fmt.Sprintf("a page, which has %v of %v", page.Size().Width, needs))
			}
		}
		text, has := said(object), object.Size()
		if text == "" || has.Width <= 0 || sideways[object] {
			continue
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(object) // slow, because it searches the whole window
		if at.IsZero() {                                                   // the object is not in the window
			continue
		}
		edge := at.X + has.Width
		if needs := object.MinSize(); needs.Width > has.Width+1 || edge > canvas.Size().Width+1 {
			cut = append(cut, fmt.Sprintf("%q, which has %v of %v and reaches to %v", text, has.Width, needs.Width, edge))
		}
	}
	return cut
}

// said returns the text of a control or a text object, or "" for any other object.
func said(object fyne.CanvasObject) string {
	switch object := object.(type) {
	case *kit.Button:
		return object.Text
	case *kit.Check:
		return object.Text
	case *kit.Switch:
		return object.AccessibilityLabel()
	case *kit.Text:
		return object.Text()
	case *kit.Lines:
		return object.Text()
	}
	return ""
}
