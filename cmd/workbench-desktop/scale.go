package main

import "strconv"

// The least size of the window, with its title bar, at a scale of 1.
const (
	leastWidth  = 800
	leastHeight = 600
	// titleHeight is what the title of a window or a panel takes of a screen, in its pixels.
	titleHeight = 40
)

// scaleOn returns the scale of the window on a screen of a size, if the user has asked for one: a lower one if the
// least window would not fit, because then nobody could reach the buttons at its edges.
func scaleOn(width, height float32, asked string) float32 {
	wanted, err := strconv.ParseFloat(asked, 32)
	if err != nil || wanted <= 0 {
		return 1
	}
	return min(float32(wanted), max(1, min(width/leastWidth, height/leastHeight)))
}
