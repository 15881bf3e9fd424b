// Package e2e tests the real program with its own display, session bus and tray. The tests look at it only from
// outside: over D-Bus, with the keyboard and the mouse, and at the pixels. They need Linux and what .ci/setup test
// installs.
//
// Some tests do more if a flag asks for it: TestSoak uses the window for an hour (-soak 1h), TestProbe measures what
// blocks the window (-probe .), TestResting measures the cost of the hidden program (-resting 60s), and TestPictures
// takes the pictures of the user guide (-pictures FOLDER).
package e2e
