// Package review shows what a server would run, before anything of it is started: the view of package engine/manage/review. All screens that ask
// show this one.
package review

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
)

// View says how a server is shown.
type View struct {
	Judged *review.Review

	// Agree are the uses that somebody must agree to, each with a box of its own, and Agreed those that they have agreed to. Told are uses
	// that are only told.
	Agree, Told []review.Use
	Agreed      map[review.Use]bool

	// OnAgreed is called when a box was ticked or not, after Agreed was changed. It may be nil when there is nothing to agree to.
	OnAgreed func()

	// Bare is set in lists, where what runs needs no heading, and only loud warnings are shown.
	Bare bool

	// Off is set while nothing can be changed.
	Off bool
}

// Lines that are shown without scrolling, of what runs and of other values.
const (
	runsLines    = 9
	settingLines = 5
	longLines    = 4
)

// MaxAgree is how many uses one server may have. Nobody reads more, so more cannot be agreed to.
const MaxAgree = 50

// Open says whether something is still to be agreed to.
func Open(agree []review.Use, agreed map[review.Use]bool) bool {
	for _, use := range agree {
		if !agreed[use] {
			return true
		}
	}
	return len(agree) > MaxAgree
}

// New makes the view.
func New(v View) fyne.CanvasObject {
	column := kit.Column(kit.Gap)
	if !v.Bare {
		heading := lang.L("This will run on your computer:")
		if v.Judged.Remote {
			heading = lang.L("This will be connected to:")
		}
		column.Add(title(heading))
	}
	column.Add(kit.NewWhole(runsLines, spans(v.Judged.Runs)...))
	if letters := utf8.RuneCountInString(v.Judged.Line()); letters > many {
		column.Add(kit.NewParagraph(lang.L("These are {{.Count}} characters. Scroll to read them all.", map[string]any{"Count": kit.Number(float64(letters))}), small()))
	}
	v.warn(column, true)
	for _, field := range []struct{ name, heading, between string }{
		{"env", lang.L("Variables"), "="}, {"headers", lang.L("Headers"), ": "}, {"oauth", lang.L("Sign-in"), ": "}, {"cwd", lang.L("Starts in"), ""},
	} {
		if lines := settings(v.Judged.Settings, field.name, field.between); len(lines) > 0 {
			column.Add(title(field.heading))
			column.Add(kit.NewWhole(settingLines, lines...))
		}
	}
	if !v.Bare { // many servers would say the same
		v.warn(column, false)
	}
	if len(v.Agree) > 0 {
		column.Add(title(lang.L("It gets what is yours. Agree to each:")))
	}
	for i, use := range v.Agree {
		if i == MaxAgree {
			column.Add(kit.Sign(theme.StateWrong, kit.NewParagraph(lang.L("It wants {{.Count}} things of yours. Nobody can agree to that many, so it cannot be added.",
				map[string]any{"Count": kit.Number(float64(len(v.Agree)))}), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})))
			break
		}
		column.Add(v.box(use))
	}
	for _, use := range v.Told[:min(len(v.Told), MaxAgree)] {
		column.Add(kit.Sign(theme.StateIdle, said(kit.Say(use.Text()), small())))
	}
	return column
}

// warn adds the warnings that are loud, or those that are not.
func (v View) warn(column *fyne.Container, loud bool) {
	for _, w := range v.Judged.Warnings {
		switch {
		case w.Loud != loud:
		case loud:
			column.Add(kit.Sign(theme.StateNotice, said(kit.Say(w.Text), kit.TextStyle{Size: theme.SizeSmall, Bold: true})))
		default:
			column.Add(kit.Sign(theme.StateIdle, said(kit.Say(w.Text), small())))
		}
	}
}

// many is how many letters what runs has before their number is said.
const many = 800

// box is one use with the box that agrees to it.
func (v View) box(use review.Use) fyne.CanvasObject {
	agree := kit.NewCheck(lang.L("I agree"), func(on bool) {
		v.Agreed[use] = on
		v.OnAgreed()
	})
	agree.Follow(v.Agreed[use])
	if v.Off {
		agree.Disable()
	}
	return kit.Row(kit.GapWide, kit.Rest(kit.Sign(theme.StateNotice, said(kit.Say(use.Text()), kit.TextStyle{Size: theme.SizeSmall}))), agree)
}

// said is a sentence. One that is very long, since somebody has made a name so, is shown whole all the same.
func said(text string, style kit.TextStyle) fyne.CanvasObject {
	if utf8.RuneCountInString(text) <= longest {
		return kit.NewParagraph(text, style)
	}
	return kit.NewWhole(longLines, kit.WholeSpan{Text: text, Color: style.Color})
}

// longest is how many letters a sentence has before it is scrolled.
const longest = 400

func title(text string) fyne.CanvasObject {
	return kit.NewText(text, kit.TextStyle{Bold: true, Size: theme.SizeSmall})
}

func small() kit.TextStyle { return kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }

// settings are the values of a field, one a line.
func settings(all []review.Setting, field, between string) []kit.WholeSpan {
	var lines []kit.WholeSpan
	for _, s := range all {
		if s.Field != field {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, kit.WholeSpan{Break: true})
		}
		lines = append(lines, spans(s.Name)...)
		lines = append(lines, kit.WholeSpan{Text: between})
		lines = append(lines, spans(s.Value)...)
	}
	return lines
}

// spans are a text for a [kit.Whole].
func spans(text review.Text) []kit.WholeSpan {
	out := make([]kit.WholeSpan, len(text))
	for i, piece := range text {
		out[i].Text = piece.Text
		switch piece.Kind {
		case review.Masked:
			out[i].Color = theme.ColorMuted
		case review.Unseen:
			out[i].Color = theme.ColorWrong
		case review.Break:
			out[i].Color, out[i].Break = theme.ColorMuted, true
		}
	}
	return out
}
