// Package review draws what a server would run, before any of it is started. It draws the [review.Review] of package
// engine/manage/entries/review; every screen that asks for agreement uses it.
package review

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// View says which server is shown, and how.
type View struct {
	Judged *review.Review

	// Agree are the uses that the user must agree to; each one has its own box. Agreed are those that the user has
	// agreed to. Told are uses that are shown without a box.
	Agree, Told []review.Use
	Agreed      map[review.Use]bool

	// OnAgreed is called after a box was ticked or cleared and Agreed has changed. It may be nil if there is nothing to
	// agree to.
	OnAgreed func()

	// Bare leaves out the heading and all warnings that are not loud. It is set where many servers are listed.
	Bare bool

	// Off disables the boxes while nothing can be changed.
	Off bool
}

// The number of lines that are visible without scrolling: of the command, of the other values, and of a long sentence.
const (
	runsLines    = 9
	settingLines = 5
	longLines    = 4
)

// MaxAgree is how many uses of one server the user can agree to. Nobody reads more than that, so [Open] stays true for
// a server with more.
const MaxAgree = 50

// Open reports whether the user still has to agree to something.
func Open(agree []review.Use, agreed map[review.Use]bool) bool {
	for _, use := range agree {
		if !agreed[use] {
			return true
		}
	}
	return len(agree) > MaxAgree
}

// New returns an object that draws v.
func New(v View) fyne.CanvasObject {
	column := kit.Column(kit.Gap)
	if !v.Bare {
		heading := lang.L("This will run on your computer:")
		if v.Judged.Remote {
			heading = lang.L("This will be connected to:")
		}
		column.Add(title(heading))
	}
	column.Add(code.NewWhole(runsLines, spans(v.Judged.Runs)...))
	if letters := utf8.RuneCountInString(v.Judged.Line()); letters > many {
		column.Add(kit.NewParagraph(lang.L("These are {{.Count}} characters. Scroll to read them all.",
			map[string]any{"Count": kit.Number(float64(letters))}), kit.Small()))
	}
	v.warn(column, true)
	for _, field := range []struct{ name, heading, between string }{
		{"env", lang.L("Variables"), "="}, {"headers", lang.L("Headers"), ": "}, {"oauth", lang.L("Sign-in"), ": "},
		{"cwd", lang.L("Starts in"), ""},
	} {
		if lines := settings(v.Judged.Settings, field.name, field.between); len(lines) > 0 {
			column.Add(title(field.heading))
			column.Add(code.NewWhole(settingLines, lines...))
		}
	}
	if !v.Bare { // in a list, many servers would say the same
		v.warn(column, false)
	}
	if len(v.Agree) > 0 {
		column.Add(title(lang.L("It gets these secrets and variables of yours. Agree to each one:")))
	}
	for i, use := range v.Agree {
		if i == MaxAgree {
			column.Add(kit.Sign(theme.StateWrong,
				kit.NewParagraph(lang.L("It asks for {{.Count}} secrets and variables of yours. That is too many to check, so "+
					"it cannot be added.",
					map[string]any{"Count": kit.Number(float64(len(v.Agree)))}),
					kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})))
			break
		}
		column.Add(v.box(use))
	}
	for _, use := range v.Told[:min(len(v.Told), MaxAgree)] {
		column.Add(kit.Sign(theme.StateIdle, said(kit.Say(use.Text()), kit.Small())))
	}
	return column
}

// warn adds either the loud warnings or the others.
func (v View) warn(column *fyne.Container, loud bool) {
	for _, w := range v.Judged.Warnings {
		switch {
		case w.Loud != loud:
		case loud:
			column.Add(kit.Sign(theme.StateNotice, said(kit.Say(w.Text), kit.TextStyle{Size: theme.SizeSmall, Bold: true})))
		default:
			column.Add(kit.Sign(theme.StateIdle, said(kit.Say(w.Text), kit.Small())))
		}
	}
}

// many is the length of a command, in characters, from which on the length is shown.
const many = 800

// box returns the text of a use, and the box to agree to it.
func (v View) box(use review.Use) fyne.CanvasObject {
	agree := kit.NewCheck(lang.L("I agree"), func(on bool) {
		v.Agreed[use] = on
		v.OnAgreed()
	})
	agree.Follow(v.Agreed[use])
	if v.Off {
		agree.Disable()
	}
	return kit.Row(kit.GapWide, kit.Rest(
		kit.Sign(theme.StateNotice, said(kit.Say(use.Text()), kit.TextStyle{Size: theme.SizeSmall}))), agree)
}

// said shows a sentence. A very long sentence scrolls, so that nothing is cut off. Only a very long name makes a
// sentence that long.
func said(text string, style kit.TextStyle) fyne.CanvasObject {
	if utf8.RuneCountInString(text) <= longest {
		return kit.NewParagraph(text, style)
	}
	return code.NewWhole(longLines, code.WholeSpan{Text: text, Color: style.Color})
}

// longest is how many characters a sentence may have without scrolling.
const longest = 400

func title(text string) fyne.CanvasObject {
	return kit.NewText(text, kit.TextStyle{Bold: true, Size: theme.SizeSmall})
}

// settings returns the values of a field, each on a line of its own.
func settings(all []review.Setting, field, between string) []code.WholeSpan {
	var lines []code.WholeSpan
	for _, s := range all {
		if s.Field != field {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, code.WholeSpan{Break: true})
		}
		lines = append(lines, spans(s.Name)...)
		lines = append(lines, code.WholeSpan{Text: between})
		lines = append(lines, spans(s.Value)...)
	}
	return lines
}

// spans turns a text into what a [code.Whole] shows.
func spans(text review.Text) []code.WholeSpan {
	out := make([]code.WholeSpan, len(text))
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
