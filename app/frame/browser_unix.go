//go:build unix && !darwin

package frame

import (
	"net/url"
	"os/exec"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// openPatience is how long the program that opens something may take to fail. Without a browser it tries one after the
// other. With one it may run as long as the browser.
const openPatience = 5 * time.Second

// openIn opens an address in the user's program for it. Fyne starts the same program, but does not look at how it
// ends, which alone tells whether there is a browser.
func openIn(_ fyne.App, address *url.URL) error {
	return launch("xdg-open", address.String(), openPatience)
}

// launch starts a program, and returns its error if it fails within a time.
func launch(program, argument string, patience time.Duration) error {
	cmd := exec.Command(program, argument)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	background.Go(func() { ended <- cmd.Wait() })
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return nil
	}
}
