package kit

import "testing"

func TestShortPath(t *testing.T) {
	for _, test := range []struct{ path, home, want string }{
		{"/home/ann/.config/x", "/home/ann", "~/.config/x"},
		{`C:\Users\ann\x`, `C:\Users\ann`, `~\x`},
		{"/home/annabel/x", "/home/ann", "/home/annabel/x"},
		{"/home/ann", "/home/ann", "/home/ann"},
		{"/srv/x", "", "/srv/x"},
	} {
		if got := ShortPath(test.path, test.home); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.path, got, test.want)
		}
	}
}
