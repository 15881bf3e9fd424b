package clock_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/clock"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

// shown is a time as the reference server shows it.
type shown struct {
	Timezone string
	At       time.Time `json:"datetime"`
	Weekday  string    `json:"day_of_week"`
	DST      bool      `json:"is_dst"`
}

// recorded is a call, and what the reference server answers: JSON with one time or two, or a refusal.
type recorded struct {
	Now       time.Time
	Tool      string
	Arguments tooltest.Arguments
	Answer    struct{ Text, Refused string }
}

// timeOf is a time as our server shows it.
var timeOf = regexp.MustCompile(`(\w+), (\S+) \(([^,)]+)(, daylight saving time)?\)`)

// TestAsReference checks that the server tells the same times as the reference server (e2e/reference): instant,
// weekday, offset, daylight saving time and difference. It refuses what that refuses.
func TestAsReference(t *testing.T) {
	content, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Calls []recorded }
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	for _, r := range all.Calls {
		t.Run(fmt.Sprint(r.Now.Format(time.RFC3339), " ", r.Tool, r.Arguments), func(t *testing.T) {
			c := tooltest.New(t, clock.New("0", func() time.Time { return r.Now }))
			text, refused := c.Call(r.Tool, r.Arguments)
			if want := r.Answer.Refused != ""; refused != want {
				t.Fatalf("the answer is %q; refused: %t, by the reference server: %t", text, refused, want)
			}
			if refused {
				return
			}
			var want struct {
				shown
				Source, Target shown
				Difference     string `json:"time_difference"`
			}
			if err := json.Unmarshal([]byte(r.Answer.Text), &want); err != nil {
				t.Fatal(err)
			}
			times := []shown{want.shown}
			if r.Tool == "convert_time" {
				times = []shown{want.Source, want.Target}
			}
			// The reference server shows a time that does not exist as such. Ours shows what clocks show then, and
			// says so. Winter in Ireland is daylight saving time only there, since tables of time zones say so.
			skipped := strings.Contains(text, "does not exist")
			found := timeOf.FindAllStringSubmatch(text, -1)
			if len(found) != len(times) {
				t.Fatalf("there are not %d times in %q", len(times), text)
			}
			for i, want := range times {
				at, err := time.Parse(time.RFC3339, found[i][2])
				same := skipped && i == 0 || at.Format(time.RFC3339) == want.At.Format(time.RFC3339) &&
					(found[i][4] != "") == (want.DST && want.Timezone != "Europe/Dublin")
				if err != nil || !at.Equal(want.At) || !same || found[i][1] != want.Weekday || found[i][3] != want.Timezone {
					t.Errorf("the time is %q; it should be %+v", found[i][0], want)
				}
			}
			difference := regexp.MustCompile(`\.0h$|h$`).ReplaceAllString(want.Difference, " h")
			if r.Tool == "convert_time" && !skipped && !strings.Contains(text, "Difference: "+difference) {
				t.Errorf("the difference is not %s in %q", difference, text)
			}
		})
	}
}
