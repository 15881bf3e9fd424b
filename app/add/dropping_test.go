package add

import (
	"testing"

	"fyne.io/fyne/v2/storage"
)

// TestDroppedLink checks that a dropped link is recognized, although Fyne makes it the path of a file.
func TestDroppedLink(t *testing.T) {
	for dropped, want := range map[string]string{
		"https://tools.example.com/mcp": "https://tools.example.com/mcp",
		"http://localhost:8080/sse?a=b": "http://localhost:8080/sse?a=b",
		"/home/a/https:/b":              "",
		"/home/a/servers.json":          "",
	} {
		if got := droppedLink(storage.NewFileURI(dropped)); got != want {
			t.Errorf("%s is read as the link %q, not %q", dropped, got, want)
		}
	}
}
