package task

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestForgetFonts checks that the memory of the fonts is freed, and that texts measure the same after the fonts are read again.
func TestForgetFonts(t *testing.T) {
	test.NewTempApp(t)
	inUse := func() uint64 {
		runtime.GC()
		runtime.GC() // frees what the first run has finalized
		var use runtime.MemStats
		runtime.ReadMemStats(&use)
		return use.HeapAlloc
	}
	styles := []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}}
	measure := func(text string) (all []fyne.Size) {
		for _, style := range styles {
			all = append(all, fyne.MeasureText(text, 13, style))
		}
		return all
	}
	before := inUse()
	first := measure("Toolboxes 🧰 日本語")
	held := inUse() - before
	forgetFonts()
	if left := int64(inUse()) - int64(before); left > int64(held)/4 {
		t.Errorf("%d KiB were allocated, %d are still held", held>>10, left>>10)
	}
	if held < 5<<20 {
		t.Errorf("fonts take %d KiB, so this test checks nothing", held>>10)
	}
	if again := measure("Toolboxes 🧰 日本語."); again[0].Width <= first[0].Width || again[0].Height != first[0].Height || again[1].Width <= again[0].Width {
		t.Errorf("the sizes are %v, with one more character %v", first, again)
	}
}
