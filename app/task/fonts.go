package task

import (
	"sync"
	_ "unsafe" // for what is Fyne's own

	_ "fyne.io/fyne/v2/widget" // which measures text
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/shaping"
)

// Fyne keeps all fonts that it has ever used: some 25 MiB, most of it the one with emoji, which it reads once for each style. It forgets its own
// ones when the theme changes, and none of the system's, and offers no way to ask for that. Linking fails when a name is not there any more.
//
//go:linkname clearFontCache fyne.io/fyne/v2/internal/painter.ClearFontCache
func clearFontCache()

//go:linkname fontsOfSystem fyne.io/fyne/v2/internal/painter.fm
var fontsOfSystem *fontscan.FontMap

//go:linkname fontsOfSystemLoaded fyne.io/fyne/v2/internal/painter.loaded
var fontsOfSystemLoaded bool

//go:linkname fontsOfSystemLock fyne.io/fyne/v2/internal/painter.fontScanLock
var fontsOfSystemLock sync.Mutex

//go:linkname shaper fyne.io/fyne/v2/internal/painter.shaper
var shaper *shaping.HarfbuzzShaper

// forgetFonts has Fyne forget all fonts; what it needs again it reads again. It is called on Fyne's goroutine.
func forgetFonts() {
	clearFontCache()
	*shaper = shaping.HarfbuzzShaper{}
	fontsOfSystemLock.Lock()
	fontsOfSystem, fontsOfSystemLoaded = nil, false
	fontsOfSystemLock.Unlock()
}
