// Package underwine is for tests that are built for Windows and run under Wine, which lacks some of what Windows does. On Windows itself
// nothing is ever skipped because of it.
package underwine

import "testing"

// Skip skips the test under Wine, and only there, with what Wine lacks as the reason.
func Skip(t testing.TB, lacks string) {
	t.Helper()
	if Is() {
		t.Skip("not under Wine: " + lacks)
	}
}
