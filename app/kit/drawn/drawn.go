// Package drawn is for tests. It shows a window in a fixed theme and language, which do not depend on the computer,
// and saves pictures of it.
package drawn

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Theme is the theme of the window in a fixed variant.
type Theme struct {
	theme.Theme
	Variant fyne.ThemeVariant
}

// Color implements [fyne.Theme].
func (t Theme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return t.Theme.Color(name, t.Variant)
}

// Wanted reports whether WORKBENCH_PICTURES names a folder for pictures.
func Wanted() bool { return folder() != "" }

func folder() string { return os.Getenv("WORKBENCH_PICTURES") }

// Look is a theme variant and a language.
type Look struct {
	Variant  fyne.ThemeVariant
	Language string // a tag such as "de"
}

// Looks returns the looks in which a test draws a window of a size, by name. A light look in English is always among
// them. A window up to 800 pixels wide also has one look in each other language. If pictures are wanted, a window of
// any size has all these and a dark look in English.
func Looks(size fyne.Size) map[string]Look {
	looks := map[string]Look{"light": {base.VariantLight, "en"}}
	if Wanted() {
		looks["dark"] = Look{base.VariantDark, "en"}
	}
	if size.Width <= 800 || Wanted() {
		for i, language := range locale.Languages() {
			if language.Tag != "en" {
				looks[language.Tag] = Look{[]fyne.ThemeVariant{base.VariantLight, base.VariantDark}[i%2], language.Tag}
			}
		}
	}
	return looks
}

// Begin sets the language of the window to that of the look until the test ends. It returns the theme of the look.
func (l Look) Begin(t testing.TB) Theme {
	voice := locale.Install()
	voice.Speak(l.Language)
	t.Cleanup(func() { voice.Speak("en") })
	return Theme{Variant: l.Variant}
}

// otherScreens checks that nothing in a window is cut on a screen of 3840 × 2160 or on one of 1366 × 768 with a scale
// of 1.5. Then it restores the size of the window.
func otherScreens(t testing.TB, canvas fyne.Canvas, name string) {
	t.Helper()
	sized, can := canvas.(interface{ Resize(fyne.Size) })
	if !can {
		t.Fatalf("%s: the window has one size", name)
	}
	was := canvas.Size()
	defer sized.Resize(was)
	for _, size := range []fyne.Size{fyne.NewSize(3840, 2160), fyne.NewSize(min(was.Width, 911), min(was.Height, 512))} {
		sized.Resize(size)
		root := canvas.Overlays().Top()
		if root == nil {
			root = canvas.Content()
		}
		if least := root.MinSize(); least.Width > size.Width+1 || least.Height > size.Height+1 {
			t.Errorf("%s: it needs %v, and has %v", name, least, size)
		}
		if cut := Cut(canvas); len(cut) > 0 {
			t.Errorf("%s: at %v, cut is %s", name, size, strings.Join(cut, ", "))
		}
	}
}

// Keep checks that nothing in a window is cut, in English also on other screens. If pictures are wanted, it saves a
// picture as name.png.
func Keep(t testing.TB, canvas fyne.Canvas, name string) {
	t.Helper()
	if cut := Cut(canvas); len(cut) > 0 {
		t.Errorf("%s: cut is %s", name, strings.Join(cut, ", "))
	}
	if Wanted() {
		save(t, canvas, name)
	}
	if lang.L("Settings") == "Settings" {
		otherScreens(t, canvas, name) // last, since what was scrolled is at its beginning in a large window
	}
}

// save saves a picture of a window as name.png.
func save(t testing.TB, canvas fyne.Canvas, name string) {
	t.Helper()
	file, err := os.Create(filepath.Join(folder(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, canvas.Capture()); err != nil {
		t.Fatal(err)
	}
}
