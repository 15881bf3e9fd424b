package task

import (
	"sync"
	_ "unsafe" // for what is Fyne's own

	_ "fyne.io/fyne/v2/widget" // which measures text
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/shaping"
)

// Fyne keeps every font that it has used. That is some 25 MiB, most of it the font with emoji, which Fyne reads once for each style. When the theme
// changes, Fyne forgets its own fonts, but not those of the system, and it has no function to ask for that. So the variables are linked by name;
// linking fails if a new version of Fyne renames one.
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

// forgetFonts makes Fyne forget all fonts. Fyne reads them again when it needs them. Call it on Fyne's goroutine.
func forgetFonts() {
	clearFontCache()
	*shaper = shaping.HarfbuzzShaper{}
	fontsOfSystemLock.Lock()
	fontsOfSystem, fontsOfSystemLoaded = nil, false
	fontsOfSystemLock.Unlock()
}
