package theme

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
)

var variants = map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark}

// Text must meet WCAG AA on every background that it is written on.
func TestTextIsReadableOnItsGround(t *testing.T) {
	const atLeast = 4.5
	pairs := []struct{ text, ground fyne.ThemeColorName }{
		{ColorText, ColorBackground}, {ColorText, ColorPanel}, {ColorText, ColorCard}, {ColorText, ColorTint},
		{ColorText, ColorChip},
		{ColorText, base.ColorNameButton}, {ColorText, base.ColorNameMenuBackground},
		{ColorMuted, ColorBackground}, {ColorMuted, ColorPanel}, {ColorMuted, ColorCard}, {ColorMuted, ColorTint},
		{ColorMuted, ColorChip},
		{ColorAccent, ColorPanel}, {ColorAccent, ColorCard},
		{ColorGood, ColorPanel}, {ColorGood, ColorCard}, {ColorWorking, ColorPanel}, {ColorWorking, ColorCard},
		{ColorWrong, ColorPanel}, {ColorWrong, ColorCard}, {ColorWrong, ColorTint},
		{base.ColorNameForegroundOnPrimary, ColorAccent},
	}
	for name, variant := range variants {
		for _, pair := range pairs {
			ratio := contrast(Theme{}.Color(pair.text, variant), Theme{}.Color(pair.ground, variant))
			if ratio < atLeast {
				t.Errorf("%s: %s on %s has contrast %.2f, want %.1f at least", name, pair.text, pair.ground, ratio, atLeast)
			}
		}
	}
}

// The outline of inputs and checkboxes must meet WCAG 2.1, 1.4.11, on every background.
func TestControlsHaveAnOutline(t *testing.T) {
	const atLeast = 3
	for name, variant := range variants {
		for _, line := range []fyne.ThemeColorName{base.ColorNameInputBorder, ColorAccent} {
			for _, ground := range []fyne.ThemeColorName{ColorBackground, ColorPanel, ColorCard,
				base.ColorNameInputBackground} {
				if ratio := contrast(Theme{}.Color(line, variant), Theme{}.Color(ground, variant)); ratio < atLeast {
					t.Errorf("%s: %s on %s has contrast %.2f, want %d at least", name, line, ground, ratio, atLeast)
				}
			}
		}
	}
}

// Text must stay readable under the pointer, where Fyne draws the hover colour over the button's own.
func TestTextIsReadableUnderThePointer(t *testing.T) {
	const atLeast = 4.5
	pairs := []struct{ text, ground fyne.ThemeColorName }{
		{ColorText, ColorBackground}, {ColorText, ColorPanel}, {ColorText, ColorCard}, {ColorText, base.ColorNameButton},
		{base.ColorNameForegroundOnPrimary, ColorAccent},
	}
	for name, variant := range variants {
		for _, pair := range pairs {
			under := color.NRGBAModel.Convert(Theme{}.Color(pair.ground, variant)).(color.NRGBA)
			over := color.NRGBAModel.Convert(Theme{}.Color(base.ColorNameHover, variant)).(color.NRGBA)
			mix := func(under, over, alpha uint8) uint8 {
				return uint8((int(under)*(255-int(alpha)) + int(over)*int(alpha)) / 255)
			}
			ground := color.NRGBA{R: mix(under.R, over.R, over.A), G: mix(under.G, over.G, over.A),
				B: mix(under.B, over.B, over.A), A: 255}
			if ratio := contrast(Theme{}.Color(pair.text, variant), ground); ratio < atLeast {
				t.Errorf("%s: %s on %s under the pointer has contrast %.2f, want %.1f at least", name, pair.text, pair.ground,
					ratio, atLeast)
			}
		}
	}
}

// Both palettes must have the same roles. A role that one of them lacks would silently get Fyne's default.
func TestVariantsKnowTheSameRoles(t *testing.T) {
	for name := range lightPalette() {
		if _, ok := darkPalette()[name]; !ok {
			t.Errorf("%s has no dark colour", name)
		}
	}
	for name := range darkPalette() {
		if _, ok := lightPalette()[name]; !ok {
			t.Errorf("%s has no light colour", name)
		}
	}
}

// Every state must have an icon, and a shape and a character that no other state has.
func TestStatesHaveShapesOfTheirOwn(t *testing.T) {
	test.NewTempApp(t)
	shapes, glyphs := map[string]State{}, map[string]State{}
	for _, state := range []State{StateIdle, StateConnected, StateWorking, StateWrong, StateDisabled, StateKey,
		StateNotice} {
		if len(state.Icon().Content()) == 0 {
			t.Errorf("state %d has no icon", state)
		}
		if other, taken := shapes[state.shape()]; taken {
			t.Errorf("states %d and %d share the shape %q", state, other, state.shape())
		}
		if other, taken := glyphs[state.Glyph()]; taken {
			t.Errorf("states %d and %d share the character %q", state, other, state.Glyph())
		}
		shapes[state.shape()], glyphs[state.Glyph()] = state, state
	}
	if len(ToolboxIcon(ColorMuted).Content()) == 0 {
		t.Error("the icon of the toolboxes is missing")
	}
}

// contrast returns the contrast ratio of WCAG 2.1, from 1 to 21.
func contrast(a, b color.Color) float64 {
	high, low := luminance(a), luminance(b)
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	channel := func(value uint32) float64 {
		v := float64(value) / 0xffff
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(r) + 0.7152*channel(g) + 0.0722*channel(b)
}

// A Look that the user has chosen is used whatever the system prefers.
func TestLook(t *testing.T) {
	for look, want := range map[Look]color.Color{
		LookSystem: dark()[ColorBackground], LookLight: light()[ColorBackground], LookDark: dark()[ColorBackground],
	} {
		if got := (Theme{look}).Color(ColorBackground, base.VariantDark); got != want {
			t.Errorf("look %s on a dark system: %v, want %v", look, got, want)
		}
	}
}
