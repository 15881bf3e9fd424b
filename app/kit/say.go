package kit

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Words returns a printer for texts of the engine. It prints in the language of the window, see package locale.
func Words() words.Printer {
	return words.Through(func(code words.Code, count *int, args map[string]any) (string, bool) {
		var said string
		if count != nil {
			said = lang.XN(string(code), "", *count, args)
		} else {
			said = lang.X(string(code), "", args)
		}
		return said, said != ""
	})
}

// Say returns a text of the engine in the language of the window.
func Say(text words.Text) string { return Words().Text(text) }

// SayError returns the text of an error in the language of the window.
func SayError(err error) string { return Words().Error(err) }

// Quote returns a text in the quotation marks of the language of the window.
func Quote(text string) string { return Say(words.Quoted(text)) }

// SayList returns the items with commas between them, in the style of the language of the window.
func SayList(items []string) string { return Say(words.List(items...)) }

// Decimal returns a number with the given number of decimals, in the language of the window.
func Decimal(value float64, digits int) string { return Say(words.Decimal(value, digits)) }

// Number returns a number with all its decimals, in the language of the window.
func Number(value float64) string {
	_, part, _ := strings.Cut(strconv.FormatFloat(value, 'f', -1, 64), ".")
	return Decimal(value, len(part))
}

// Bytes returns a size in bytes, kB or MB, in the language of the window. A kB is 1000 bytes.
func Bytes(count int) string {
	switch {
	case count < 1000:
		return lang.N("{{.Count}} bytes", count, map[string]any{"Count": count})
	case count < 999_950: // more would be rounded to 1,000.0 kB
		return lang.L("{{.Size}} kB", map[string]any{"Size": Decimal(float64(count)/1000, 1)})
	}
	digits := 1
	if count >= 100_000_000 {
		digits = 0
	}
	return lang.L("{{.Size}} MB", map[string]any{"Size": Decimal(float64(count)/1_000_000, digits)})
}

// Duration returns a duration in the language of the window: in milliseconds, in seconds with one decimal
// unless they are whole, or in minutes and seconds.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return lang.L("< 1 ms")
	case d < time.Second:
		return lang.L("{{.Count}} ms", map[string]any{"Count": d.Milliseconds()})
	case d < time.Minute:
		digits := 1
		if d%time.Second == 0 {
			digits = 0
		}
		return lang.L("{{.Count}} s", map[string]any{"Count": Decimal(d.Truncate(100*time.Millisecond).Seconds(), digits)})
	}
	return lang.L("{{.Minutes}} min {{.Seconds}} s",
		map[string]any{"Minutes": int(d.Minutes()), "Seconds": int(d.Seconds()) % 60})
}

// Clock returns the time of day in hours and minutes, in the language of the window.
func Clock(t time.Time) string { return Say(words.Clock(t)) }

// Seconds returns the time of day with seconds, in the language of the window.
func Seconds(t time.Time) string { return Say(words.Seconds(t)) }

// Moment returns the date in figures and the time of day with seconds, in the language of the window.
func Moment(t time.Time) string { return Say(words.At(words.Date(t), words.Seconds(t))) }

// Precise is like [Moment], with milliseconds.
func Precise(t time.Time) string { return Say(words.At(words.Date(t), words.Milliseconds(t))) }
