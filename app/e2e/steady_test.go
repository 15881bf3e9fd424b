//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"testing"
)

// series is a list of measurements at equal intervals.
type series struct {
	name    string
	unit    float64 // divisor to show the values
	allowed float64 // largest growth in the second half
	values  []float64
}

// steady returns an error if the second half of a series grows. The first half is left out, because memory that is
// allocated once is no leak. The slope is the median of the slopes between all pairs of values (Theil–Sen), so that
// single outliers do not matter. Growth counts if it is more than allowed and most pairs agree with its direction.
func (s series) steady() error {
	grown, agree := growth(s.values[len(s.values)/2:])
	if grown > s.allowed && agree > 0.7 {
		return fmt.Errorf("%s grows by %.1f in the second half, more than %.1f; %.0f %% of all pairs of values agree",
			s.name, grown/s.unit, s.allowed/s.unit, 100*agree)
	}
	return nil
}

// growth returns by how much values grow from the first to the last, and the share of all pairs that agree.
func growth(values []float64) (grown, agree float64) {
	var slopes []float64
	up := 0
	for i := range values {
		for j := i + 1; j < len(values); j++ {
			slope := (values[j] - values[i]) / float64(j-i)
			slopes = append(slopes, slope)
			switch {
			case slope > 0:
				up += 2
			case slope == 0: // counts half
				up++
			}
		}
	}
	if len(slopes) == 0 {
		return 0, 0
	}
	return median(slopes) * float64(len(values)-1), float64(up) / 2 / float64(len(slopes))
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func TestSteady(t *testing.T) {
	make60 := func(at func(i int) float64) series {
		s := series{name: "memory", unit: 1, allowed: 5}
		for i := range 60 {
			s.values = append(s.values, at(i))
		}
		return s
	}
	noise := func(i int) float64 { return float64(i*7919%13) - 6 }
	for name, c := range map[string]struct {
		values func(int) float64
		steady bool
	}{
		"the same":       {func(int) float64 { return 100 }, true},
		"noise":          {func(i int) float64 { return 100 + noise(i) }, true},
		"grown at first": {func(i int) float64 { return 100 + 10*float64(min(i, 20)) + noise(i) }, true},
		"an odd value": {func(i int) float64 {
			return map[bool]float64{true: 900, false: 100}[i == 59] + noise(i)
		}, true},
		"a little":              {func(i int) float64 { return 100 + float64(i)/20 }, true},
		"a leak":                {func(i int) float64 { return 100 + float64(i) }, false},
		"a leak below noise":    {func(i int) float64 { return 100 + float64(i)/2 + noise(i) }, false},
		"a leak in steps of 10": {func(i int) float64 { return 100 + float64(i/10*10) }, false},
	} {
		if err := make60(c.values).steady(); (err == nil) != c.steady {
			t.Errorf("%s: %v", name, err)
		}
	}
}
