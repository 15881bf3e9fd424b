package task

import (
	"sync"
	_ "unsafe" // for go:linkname

	_ "fyne.io/fyne/v2/widget" // makes Fyne's package painter part of every program with this package
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/shaping"
)

// Fyne keeps every font that it has used. This takes some 25 MiB, most of it for the font with emoji, which Fyne reads once for each style. When the
// theme changes, Fyne forgets its own fonts but keeps those of the system, and it has no exported function that forgets them. So its variables are
// linked by name. If a new version of Fyne renames one, linking fails.
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
