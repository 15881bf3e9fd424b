//go:build !unix || darwin

package frame

import (
	"net/url"

	"fyne.io/fyne/v2"
)

// openIn opens an address in the user's program for it.
func openIn(app fyne.App, address *url.URL) error { return app.OpenURL(address) }
