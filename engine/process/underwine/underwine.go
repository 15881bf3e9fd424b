// Package underwine is for tests that are built for Windows and run under Wine, which lacks some features of
// Windows. On Windows itself it never skips a test.
package underwine

import "testing"

// Skip skips the test under Wine. lacks is the feature that Wine lacks.
func Skip(t testing.TB, lacks string) {
	t.Helper()
	if Is() {
		t.Skip("not under Wine: " + lacks)
	}
}
