package words

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Language is the name of the current language in that language.
const Language = Code("format.language")

// Decimal returns a number with a number of digits after the decimal point.
func Decimal(value float64, digits int) Text {
	whole, part, _ := strings.Cut(strconv.FormatFloat(math.Abs(value), 'f', digits, 64), ".")
	said := groups(whole)
	if part != "" {
		said = New("format.decimal", "Whole", said, "Part", part)
	}
	if value < 0 {
		return New("format.negative", "Number", said)
	}
	return said
}

// Number returns an integer with thousands separators.
func Number(value int) Text { return Decimal(float64(value), 0) }

func groups(digits string) Text {
	at := len(digits) - 3
	if at <= 0 {
		return Foreign(digits)
	}
	return New("format.thousands", "More", groups(digits[:at]), "Three", digits[at:])
}

// Date returns the day of t in figures, such as "2006-01-02".
func Date(t time.Time) Text {
	return New("format.date", "Year", t.Format("2006"), "Month", t.Format("01"), "Day", t.Format("02"))
}

// Day returns the day of t without its year, such as "2 Jan".
func Day(t time.Time) Text {
	return New("format.day", "Day", t.Day(), "Month", months[t.Month()-1])
}

// DayAndYear returns the day of t, such as "2 Jan 2006".
func DayAndYear(t time.Time) Text {
	return New("format.day_and_year", "Day", t.Day(), "Month", months[t.Month()-1], "Year", t.Year())
}

// Clock returns the time of day of t, such as "15:04".
func Clock(t time.Time) Text {
	return New("format.clock", "Hour", t.Format("15"), "Minute", t.Format("04"))
}

// Seconds returns the time of day of t with its seconds, such as "15:04:05".
func Seconds(t time.Time) Text {
	return New("format.clock_with_seconds", "Hour", t.Format("15"), "Minute", t.Format("04"), "Second", t.Format("05"))
}

// Milliseconds returns the time of day of t with its milliseconds, such as "15:04:05.000".
func Milliseconds(t time.Time) Text {
	whole, part, _ := strings.Cut(t.Format("05.000"), ".")
	return New("format.clock_with_seconds", "Hour", t.Format("15"), "Minute", t.Format("04"), "Second",
		New("format.decimal", "Whole", whole, "Part", part))
}

// At returns a day and a time of day combined.
func At(day, clock Text) Text { return New("format.moment", "Day", day, "Clock", clock) }

// months are the short names of the months.
var months = [...]Code{
	"format.january", "format.february", "format.march", "format.april", "format.may", "format.june",
	"format.july", "format.august", "format.september", "format.october", "format.november", "format.december",
}
