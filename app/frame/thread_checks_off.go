//go:build !threadchecks

package frame

// ThreadChecks has Fyne look, at every call, whether it comes from the goroutine of the window. That takes half of the
// window's time, so only the build that the end-to-end tests use does it (-tags threadchecks); they fail when Fyne complains.
const ThreadChecks = false
