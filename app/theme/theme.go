// Package theme defines how the window looks: its light and dark colours, its sizes and its icons. The screens take
// all colours and sizes from here by name, so that they follow when the theme changes.
package theme

import (
	"image/color"
	"sync"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// Colours by role. Where Fyne has a name for a role, the same name is used, so that Fyne's own widgets match.
const (
	ColorBackground = base.ColorNameBackground
	ColorText       = base.ColorNameForeground
	ColorMuted      = base.ColorNamePlaceHolder // less important text
	ColorLine       = base.ColorNameSeparator
	ColorAccent     = base.ColorNamePrimary
	ColorTint       = base.ColorNameSelection // the background of selected things
	ColorGood       = base.ColorNameSuccess
	ColorWorking    = base.ColorNameWarning
	ColorWrong      = base.ColorNameError

	ColorPanel fyne.ThemeColorName = "workbenchPanel"
	ColorCard  fyne.ThemeColorName = "workbenchCard"
	ColorChip  fyne.ThemeColorName = "workbenchChip"
	ColorClear fyne.ThemeColorName = "workbenchClear" // fully transparent
)

// Sizes by role, in Fyne's pixels, which follow the scale of the screen.
const (
	SizeTitle   = base.SizeNameHeadingText    // 22: the title of a screen
	SizeHeading = base.SizeNameSubHeadingText // 15: the title of a card
	SizeText    = base.SizeNameText           // 14
	SizeSmall   = base.SizeNameCaptionText    // 12.5

	SizeCardRadius  = base.SizeNameCardRadius
	SizeFieldRadius = base.SizeNameInputRadius
	SizeChipRadius  = fyne.ThemeSizeName("workbenchChipRadius")
	SizeMeterRadius = fyne.ThemeSizeName("workbenchMeterRadius")
)

// Look is the choice between light and dark, as stored in the preferences. Any unknown value follows the system.
type Look string

// The values of a Look.
const (
	LookSystem Look = "system"
	LookLight  Look = "light"
	LookDark   Look = "dark"
)

// Theme is Fyne's theme for this program. Its zero value is ready to use and follows the system.
type Theme struct{ Look Look }

var _ fyne.Theme = Theme{}

// palette holds the colour of every role, for light or for dark.
type palette map[fyne.ThemeColorName]color.NRGBA

func rgb(hex uint32) color.NRGBA { return rgba(hex, 0xff) }

func rgba(hex uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: alpha}
}

func light() palette {
	return palette{
		ColorBackground: rgb(0xF5F6F8),
		ColorPanel:      rgb(0xFFFFFF),
		ColorCard:       rgb(0xFFFFFF),
		ColorLine:       rgb(0xDFE3E9),
		ColorText:       rgb(0x1D2433),
		ColorMuted:      rgb(0x5D6879),
		ColorAccent:     rgb(0x2F5FDE),
		ColorTint:       rgb(0xE6EDFD),
		ColorGood:       rgb(0x157F4D),
		ColorWorking:    rgb(0xA15C00),
		ColorWrong:      rgb(0xC2322D),
		ColorChip:       rgb(0xEEF1F5),
		ColorClear:      {},

		base.ColorNameForegroundOnPrimary: rgb(0xFFFFFF),
		base.ColorNameForegroundOnSuccess: rgb(0xFFFFFF),
		base.ColorNameForegroundOnWarning: rgb(0xFFFFFF),
		base.ColorNameForegroundOnError:   rgb(0xFFFFFF),
		base.ColorNameHyperlink:           rgb(0x2F5FDE),
		base.ColorNameFocus:               rgba(0x2F5FDE, 0x38),
		base.ColorNameHover:               rgba(0x1D2433, 0x12), // drawn over any colour, even that of a primary button
		base.ColorNamePressed:             rgba(0x1D2433, 0x1a),
		base.ColorNameButton:              rgb(0xE4E9F0),
		base.ColorNameDisabledButton:      rgb(0xEEF1F5),
		base.ColorNameDisabled:            rgb(0x8A94A3),
		base.ColorNameInputBackground:     rgb(0xFFFFFF),
		base.ColorNameInputBorder:         rgb(0x838C9A), // the only visible part of an empty checkbox
		base.ColorNameMenuBackground:      rgb(0xFFFFFF),
		base.ColorNameOverlayBackground:   rgb(0xFFFFFF),
		base.ColorNameHeaderBackground:    rgb(0xEEF1F5),
		base.ColorNameScrollBar:           rgba(0x5D6879, 0x80),
		// the only thing that separates a menu from what is under it
		base.ColorNameShadow: rgba(0x1D2433, 0x30),
	}
}

func dark() palette {
	return palette{
		ColorBackground: rgb(0x14171C),
		ColorPanel:      rgb(0x1B1F26),
		ColorCard:       rgb(0x21262E),
		ColorLine:       rgb(0x323944),
		ColorText:       rgb(0xE7EAF0),
		ColorMuted:      rgb(0x9BA5B4),
		ColorAccent:     rgb(0x7BA4FF),
		ColorTint:       rgb(0x24304A),
		ColorGood:       rgb(0x4CC38A),
		ColorWorking:    rgb(0xF0A83A),
		ColorWrong:      rgb(0xFF7A73),
		ColorChip:       rgb(0x262C35),
		ColorClear:      {},

		base.ColorNameForegroundOnPrimary: rgb(0x14171C),
		base.ColorNameForegroundOnSuccess: rgb(0x14171C),
		base.ColorNameForegroundOnWarning: rgb(0x14171C),
		base.ColorNameForegroundOnError:   rgb(0x14171C),
		base.ColorNameHyperlink:           rgb(0x7BA4FF),
		base.ColorNameFocus:               rgba(0x7BA4FF, 0x40),
		base.ColorNameHover:               rgba(0xE7EAF0, 0x12),
		base.ColorNamePressed:             rgba(0xE7EAF0, 0x22),
		base.ColorNameButton:              rgb(0x2C333E),
		base.ColorNameDisabledButton:      rgb(0x262C35),
		base.ColorNameDisabled:            rgb(0x6C7685),
		base.ColorNameInputBackground:     rgb(0x1B1F26),
		base.ColorNameInputBorder:         rgb(0x717B8A),
		base.ColorNameMenuBackground:      rgb(0x2A303A),
		base.ColorNameOverlayBackground:   rgb(0x21262E),
		base.ColorNameHeaderBackground:    rgb(0x262C35),
		base.ColorNameScrollBar:           rgba(0x9BA5B4, 0x80),
		base.ColorNameShadow:              rgba(0x000000, 0x80),
	}
}

// Each palette is built only once, because every object that is drawn needs one. They are never changed after that.
var (
	lightPalette = sync.OnceValue(light)
	darkPalette  = sync.OnceValue(dark)
)

// Color returns the colour of a role, which may be one of ours or of Fyne's.
func (t Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.Look {
	case LookLight:
		variant = base.VariantLight
	case LookDark:
		variant = base.VariantDark
	}
	colors := darkPalette()
	if variant == base.VariantLight {
		colors = lightPalette()
	}
	if found, ok := colors[name]; ok {
		return found
	}
	return base.DefaultTheme().Color(name, variant)
}

// Font returns Fyne's fonts. They cover the scripts that names of servers may be written in.
func (Theme) Font(style fyne.TextStyle) fyne.Resource { return base.DefaultTheme().Font(style) }

// Icon returns Fyne's icons. Our own icons come from functions such as [State.Icon].
func (Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return base.DefaultTheme().Icon(name) }

// Size returns the size of a role, which may be one of ours or of Fyne's.
func (Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case SizeTitle:
		return 22
	case SizeHeading:
		return 15
	case SizeText:
		return 14
	case SizeSmall:
		return 12.5
	case SizeCardRadius, base.SizeNameDialogRadius:
		return 10
	case SizeFieldRadius, base.SizeNameButtonRadius, base.SizeNameSelectionRadius,
		base.SizeNameMenuRadius, base.SizeNamePopupRadius:
		return 7
	case SizeChipRadius:
		return 9
	case SizeMeterRadius:
		return 4
	case base.SizeNamePadding:
		return 4
	case base.SizeNameInnerPadding:
		return 8
	case base.SizeNameInputBorder, base.SizeNameSeparatorThickness:
		return 1
	case base.SizeNameInlineIcon:
		return 18
	case base.SizeNameScrollBar:
		return 10
	}
	return base.DefaultTheme().Size(name)
}
