//go:build !threadchecks

package frame

// ThreadChecks makes Fyne check for every call that it comes from the goroutine of the window. That takes half of the
// window's time, so only the build for the end-to-end tests does it (-tags threadchecks). They fail if Fyne complains.
const ThreadChecks = false
