package usage

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// CallCount returns a text for a number of calls.
func CallCount(n int) words.Text {
	if n == 1 {
		return words.New("usage.one_call")
	}
	return words.New("usage.calls", "Number", words.Number(n))
}

// FailedCount returns a text for a number of failed calls.
func FailedCount(n int) words.Text { return words.New("usage.failed", "Number", words.Number(n)) }

// TokenCount returns a text for a rough number of tokens, with two significant digits: more would suggest a
// precision that an estimate does not have.
func TokenCount(n int) words.Text {
	return words.New("usage.tokens", "Number", words.Number(Roughly(n)))
}

// Roughly rounds an estimate to two significant digits.
func Roughly(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// Took returns a text for the duration of a call, or of several.
func Took(d time.Duration) words.Text {
	switch {
	case d < time.Millisecond:
		return words.New("usage.no_time")
	case d < time.Second:
		return words.New("usage.milliseconds", "Number", words.Number(int(d.Milliseconds())))
	case d < time.Minute:
		return words.New("usage.seconds", "Number", words.Decimal(d.Seconds(), 1))
	}
	return words.New("usage.minutes", "Number", words.Decimal(d.Minutes(), 1))
}

// Say returns a short text about when a server was last used. It returns nothing if that is not known, or if the
// server was not used and is known only since today.
func (u LastUse) Say(now time.Time) words.Text {
	switch {
	case u.Since.IsZero(), u.Last.IsZero() && daysBetween(u.Since, now) == 0:
		return words.Text{}
	case u.Last.IsZero():
		since := u.Since.In(now.Location())
		if first := now.AddDate(0, 0, 1-Days); since.Before(first) { // earlier days were forgotten
			since = first
		}
		return words.New("usage.never", "Day", words.Day(since))
	}
	switch days := daysBetween(u.Last, now); days {
	case 0:
		return words.New("usage.used_today")
	case 1:
		return words.New("usage.used_yesterday")
	default:
		return words.New("usage.used_days_ago", "Count", days)
	}
}

// daysBetween returns the number of midnights between two times.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		t = t.In(to.Location())
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) // in UTC every day has 24 hours
	}
	return max(0, int(midnight(to).Sub(midnight(from)).Hours()/24))
}
