package downstream

import "testing"

// TestSpokenInACodePage: what cmd.exe says in German is readable.
func TestSpokenInACodePage(t *testing.T) {
	// ü of code page 850
	const line = "Der Befehl \"npx\" ist falsch geschrieben oder konnte nicht gefunden werden: \x81ber"
	if got, ok := decoded(850, []byte(line)); !ok || got[len(got)-5:] != "über" {
		t.Errorf("it is %q, %v", got, ok)
	}
	if got, ok := fromCodePage([]byte("\x81")); !ok || got == "" {
		t.Errorf("in this computer's code page it is %q, %v", got, ok)
	}
}
