// Package e2e holds tests that run the real program on a display, a session bus and a tray of its own, and look at it from
// outside: over D-Bus, with the keyboard and the mouse, and at the pixels. They need Linux and what .ci/setup test installs.
//
// Some do more when they are asked by hand: TestSoak an hour's use (-soak 1h), TestProbe what blocks the window (-probe .),
// TestResting what the program costs while it is hidden (-resting 60s), and TestPictures the pictures of the user guide (-pictures FOLDER).
package e2e
