// Package drawn is for tests: it shows a window in one look, whatever the computer's is, and leaves pictures of it for people to look at.
package drawn

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Theme is the theme of the window in one of its variants, whatever the system says.
type Theme struct {
	theme.Theme
	Variant fyne.ThemeVariant
}

// Color is for Fyne.
func (t Theme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return t.Theme.Color(name, t.Variant)
}

// Wanted reports whether pictures are wanted: WORKBENCH_PICTURES names the folder for them.
func Wanted() bool { return folder() != "" }

func folder() string { return os.Getenv("WORKBENCH_PICTURES") }

// Looks are the variants in which a screen is to be drawn: light, and dark too when pictures are wanted.
func Looks() map[string]fyne.ThemeVariant {
	looks := map[string]fyne.ThemeVariant{"light": base.VariantLight}
	if Wanted() {
		looks["dark"] = base.VariantDark
	}
	return looks
}

// Keep leaves a picture of a window as name.png, if pictures are wanted.
func Keep(t testing.TB, canvas fyne.Canvas, name string) {
	t.Helper()
	if !Wanted() {
		return
	}
	file, err := os.Create(filepath.Join(folder(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, canvas.Capture()); err != nil {
		t.Fatal(err)
	}
}
