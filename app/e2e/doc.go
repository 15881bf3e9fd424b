// Package e2e holds tests that run the real program on a display, a session bus and a tray of its own, and look at it from
// outside: over D-Bus, with the keyboard, and at the pixels. They need Linux and what .ci/setup test installs.
package e2e
