//go:build threadchecks

package frame

// ThreadChecks has Fyne look, at every call, whether it comes from the goroutine of the window.
const ThreadChecks = true
