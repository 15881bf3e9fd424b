package add

import (
	"testing"

	"fyne.io/fyne/v2/storage"
)

// Fyne takes a link for the path of a file; it is one all the same.
func TestDroppedLink(t *testing.T) {
	for dropped, want := range map[string]string{
		"https://tools.example.com/mcp": "https://tools.example.com/mcp",
		"http://localhost:8080/sse?a=b": "http://localhost:8080/sse?a=b",
		"/home/a/https:/b":              "",
		"/home/a/servers.json":          "",
	} {
		if got := droppedLink(storage.NewFileURI(dropped)); got != want {
			t.Errorf("%s is taken for the link %q, not %q", dropped, got, want)
		}
	}
}
