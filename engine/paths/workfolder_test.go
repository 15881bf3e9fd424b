package paths

import "testing"

func TestWorkFolder(t *testing.T) {
	for _, c := range []struct{ goos, current, want string }{
		{"darwin", "/", "/home"}, {"darwin", "/Applications/Workbench.app/Contents/Resources", "/home"},
		{"darwin", "/Users/ada/project", ""},
		{"darwin", "/Users/ada/my.app/src", ""}, {"linux", "/", "/home"}, {"linux", "/work", ""},
		{"linux", "/x.app/Contents/y", ""},
		{"windows", `C:\Windows\System32`, "/home"}, {"windows", `C:\`, "/home"}, {"windows", `D:\work`, ""},
		{"windows", `C:\WINDOWS`, "/home"},
	} {
		if got := (Folders{OS: c.goos, Home: "/home"}).workFolder(c.current); got != c.want {
			t.Errorf("%s in %s: %q", c.goos, c.current, got)
		}
	}
}
