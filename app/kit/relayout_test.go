package kit

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// counting is a widget that counts how often it is drawn.
type counting struct {
	widget.BaseWidget
	height float32
	drawn  int
}

func newCounting(height float32) *counting {
	c := &counting{height: height}
	c.ExtendBaseWidget(c)
	return c
}

func (c *counting) CreateRenderer() fyne.WidgetRenderer {
	return &countingRenderer{c, canvas.NewRectangle(nil)}
}

type countingRenderer struct {
	counting *counting
	ground   *canvas.Rectangle
}

func (r *countingRenderer) Destroy()                     {}
func (r *countingRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.ground} }
func (r *countingRenderer) MinSize() fyne.Size           { return fyne.NewSize(10, r.counting.height) }
func (r *countingRenderer) Layout(size fyne.Size)        { r.ground.Resize(size) }
func (r *countingRenderer) Refresh()                     { r.counting.drawn++ }

// When an object on a page gets higher, the objects below it move down but are not drawn again.
func TestArrangeDrawsNothingAnew(t *testing.T) {
	test.NewTempApp(t)
	above, below := newCounting(30), newCounting(40)
	column := Column(0, above, NewBox(BoxStyle{}, Column(0, below)))
	page := NewPage(column)
	window := test.NewTempWindow(t, page)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(200, 100))
	above.drawn, below.drawn = 0, 0

	above.height = 300
	page.Arrange()
	if got := column.Objects[1].Position().Y; got != 300 {
		t.Errorf("the object below begins at %v, not at 300", got)
	}
	if got := page.scroll.Content.Size().Height; got != 340 {
		t.Errorf("the page is %v high, not 340", got)
	}
	page.scroll.ScrollToBottom()
	if got := page.scroll.Offset.Y; got != 240 {
		t.Errorf("the page can be scrolled by %v, not by 240", got)
	}
	above.height = 30
	page.Arrange()
	if got := page.scroll.Offset.Y; got != 0 {
		t.Errorf("after the page got short again, it is scrolled by %v", got)
	}
	if above.drawn+below.drawn > 0 {
		t.Errorf("the objects were drawn again, %d and %d times", above.drawn, below.drawn)
	}
}

// An object that was hidden for long is drawn again when it is shown, because Fyne has dropped its renderer. An object
// that was hidden only just now is not.
func TestCurtain(t *testing.T) {
	test.NewTempApp(t)
	part := newCounting(30)
	object := Column(0, part)
	test.NewTempWindow(t, object)
	curtain := NewCurtain(object)
	part.drawn = 0
	for _, step := range []struct {
		visible, changed bool
		ago              time.Duration
		drawn            int
	}{{true, false, 0, 0}, {false, true, 0, 0}, {false, false, 0, 0}, {true, true, time.Second, 0}, {false, true, 0, 0},
		{true, true, forgotten, 1}} {
		curtain.since = time.Now().Add(-step.ago)
		if got := curtain.Set(step.visible); got != step.changed || object.Visible() != step.visible ||
			part.drawn != step.drawn {
			t.Errorf("%+v: changed %v, visible %v, drawn %d times", step, got, object.Visible(), part.drawn)
		}
	}
}

// most finds the largest n that fits, whatever the guess is, and a good guess saves calls.
func TestMost(t *testing.T) {
	for limit := range 70 {
		for want := 0; want <= limit; want++ {
			for guess := -3; guess <= limit+3; guess++ {
				asked := 0
				if got := most(limit, guess, func(n int) bool { asked++; return n <= want }); got != want {
					t.Fatalf("most(%d) with the guess %d is %d, not %d", limit, guess, got, want)
				}
				if guess == want && asked > 2 {
					t.Fatalf("most(%d) was guessed right and needed %d calls", want, asked)
				}
			}
		}
	}
}
