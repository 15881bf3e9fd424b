package main

import "testing"

func TestScaleFitsTheScreen(t *testing.T) {
	for _, test := range []struct {
		width, height float32
		asked         string
		want          float32
	}{
		{1280, 800, "", 1}, {1280, 800, "auto", 1}, {1600, 1200, "3", 2}, {3840, 2160, "3", 3}, {1280, 800, "0.5", 0.5},
		{640, 480, "2", 1}, {1600, 900, "-1", 1},
	} {
		if got := scaleOn(test.width, test.height, test.asked); got != test.want {
			t.Errorf("%v × %v, asked for %q: %v", test.width, test.height, test.asked, got)
		}
	}
}
