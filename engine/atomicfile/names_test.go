package atomicfile

import "testing"

func TestNamesThatMislead(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\a\con`: true, `C:\a\CON.toolbox.json`: true, `nul`: true, `C:\a\com1.json`: true, `lpt².x`: true,
		`C:\a\x.json.`: true, `C:\a\x.json `: true, `C:\a\aux .json`: true,
		`C:\con\x.json`: false, `console.json`: false, `com10.json`: false, `C:\a\x.json`: false, `C:\a\.mcp.json`: false,
		`\\server\share\x.json`: false, `x.json:stream`: true,
	} {
		if got := Misleads("windows", path); got != want {
			t.Errorf("%q: %v", path, got)
		}
		if Misleads("linux", path) {
			t.Errorf("%q misleads on Linux", path)
		}
	}
}
