package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Switch turns something on or off at once. Use a [Check] instead if the user chooses some of several items, or if a
// button applies the choice later.
type Switch struct {
	Control

	// OnChanged is called after the user has turned the switch; it may be nil.
	OnChanged func(on bool)

	spoken       string // the name for screen readers
	on, disabled bool
	word         *Text // "On" or "Off"; nil if the name is beside the switch
	track, thumb *Box
	moved        fyne.CanvasObject // the track and the thumb
}

// Sizes of a switch, in pixels.
const (
	trackWidth  = 34
	trackHeight = 18
	thumbSize   = 14
	switchRoom  = 36 // the height that can be clicked
)

// NewSwitch returns a switch that is off. spoken is its name for screen readers.
func NewSwitch(spoken string, changed func(on bool)) *Switch {
	s := newSwitch(spoken, changed)
	s.word = NewText("", TextStyle{Align: fyne.TextAlignTrailing, Color: theme.ColorMuted})
	word := float32(0) // the width of the wider word, so that the switch does not move when the word changes
	for _, text := range []string{lang.L("On"), lang.L("Off")} {
		word = max(word, NewText(text, TextStyle{}).MinSize().Width)
	}
	s.build(Row(Gap, Sized(word, switchRoom, s.word), s.moved))
	return s
}

// NewNamedSwitch returns a switch that is off, with its name beside it.
func NewNamedSwitch(name string, changed func(on bool)) *Switch {
	s := newSwitch(name, changed)
	s.build(Row(Gap, s.moved, Sized(0, switchRoom, NewText(name, TextStyle{}))))
	return s
}

func newSwitch(spoken string, changed func(on bool)) *Switch {
	s := &Switch{OnChanged: changed, spoken: spoken}
	s.thumb = NewBox(BoxStyle{Radius: theme.SizeFieldRadius}, nil)
	s.track = NewBox(BoxStyle{Radius: theme.SizeChipRadius}, nil)
	s.moved = Arranged(
		func() fyne.Size { return fyne.NewSize(trackWidth, trackHeight) },
		func(size fyne.Size) {
			const inset = (trackHeight - thumbSize) / 2
			y := (size.Height - trackHeight) / 2
			s.track.Move(fyne.NewPos(0, y))
			s.track.Resize(fyne.NewSize(trackWidth, trackHeight))
			x := float32(inset)
			if s.on {
				x = trackWidth - thumbSize - inset
			}
			s.thumb.Move(fyne.NewPos(x, y+inset))
			s.thumb.Resize(fyne.NewSquareSize(thumbSize))
		},
		s.track, s.thumb)
	return s
}

// build sets the content of the switch: its track and the text beside it.
func (s *Switch) build(content fyne.CanvasObject) {
	s.restyle()
	s.Init(s, InsetSides(content, 0, 0, GapTight, GapTight), func() BoxStyle {
		style := BoxStyle{Radius: theme.SizeFieldRadius}
		if s.Focused() && !s.disabled {
			style.Line, style.Width = theme.ColorAccent, ringWidth
		}
		return style
	})
}

// AccessibilityLabel returns the text for screen readers.
func (s *Switch) AccessibilityLabel() string { return s.spoken }

// On reports whether the switch is on.
func (s *Switch) On() bool { return s.on }

// Follow turns the switch on or off without calling OnChanged.
func (s *Switch) Follow(on bool) {
	if s.on != on {
		s.on = on
		s.Refresh()
	}
}

// Enable lets the user turn the switch.
func (s *Switch) Enable() { s.disabled = false; s.Refresh() }

// Disable keeps the user from turning the switch.
func (s *Switch) Disable() { s.disabled = true; s.Refresh() }

// Disabled reports whether the user cannot turn the switch.
func (s *Switch) Disabled() bool { return s.disabled }

// restyle updates the look of the parts.
func (s *Switch) restyle() {
	word := lang.L("Off")
	s.track.style.Fill, s.track.style.Line, s.thumb.style.Fill = theme.ColorChip, theme.ColorMuted, theme.ColorMuted
	if s.on {
		word = lang.L("On")
		s.track.style.Fill, s.track.style.Line, s.thumb.style.Fill = theme.ColorAccent, theme.ColorAccent,
			base.ColorNameForegroundOnPrimary
	}
	if s.disabled {
		s.track.style.Line, s.thumb.style.Fill = base.ColorNameDisabled, base.ColorNameDisabled
		if s.on {
			s.track.style.Fill, s.thumb.style.Fill = base.ColorNameDisabled, theme.ColorCard
		}
	}
	if s.word != nil {
		s.word.Set(word)
	}
}

// Refresh draws the switch again.
func (s *Switch) Refresh() {
	s.restyle()
	s.Control.Refresh()
}

func (s *Switch) turn() {
	if s.disabled {
		return
	}
	s.on = !s.on
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(s.on)
	}
}

// Tapped turns the switch.
func (s *Switch) Tapped(*fyne.PointEvent) {
	if !s.disabled {
		Focus(s)
	}
	s.turn()
}

// TypedKey turns the switch on Enter and the space bar.
func (s *Switch) TypedKey(event *fyne.KeyEvent) { s.PressKey(event, s.turn) }

// Cursor shows whether the switch can be clicked.
func (s *Switch) Cursor() desktop.Cursor {
	if s.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}
