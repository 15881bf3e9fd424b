//go:build threadchecks

package frame

// ThreadChecks makes Fyne check for every call that it comes from the goroutine of the window.
const ThreadChecks = true
