package web

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"github.com/temoto/robotstxt"
)

// maxRobots is how many bytes of robots.txt count (RFC 9309, section 2.5: at least 500 KiB).
const maxRobots = 512 << 10

// checkRobots returns an error if robots.txt of the site forbids programs to read an address (RFC 9309). A site without
// robots.txt, or with one that makes no sense, forbids nothing. A site whose robots.txt cannot be fetched forbids all.
func (w web) checkRobots(ctx context.Context, address *url.URL) error {
	response, err := w.get(ctx, &url.URL{Scheme: address.Scheme, Host: address.Host, Path: "/robots.txt"})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxRobots))
	if err != nil {
		return fmt.Errorf("robots.txt of %s cannot be read: %w", address.Host, err)
	}
	rules, err := robotstxt.FromStatusAndBytes(response.StatusCode, content)
	if err != nil {
		return nil
	}
	if !rules.TestAgent(address.RequestURI(), "Workbench") {
		return fmt.Errorf("robots.txt of %s says that programs may not read %s. The person can open it in a browser",
			address.Host, address.Path)
	}
	return nil
}
