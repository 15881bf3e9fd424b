package frame

import "testing"

func TestFileURL(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a b/c#d.json": "file:///home/a%20b/c%23d.json",
		"C:/Users/x/y.json":  "file:///C:/Users/x/y.json",
	} {
		if got := fileURL(path).String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
