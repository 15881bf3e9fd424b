// Package serving runs "serve" for the window, and knows where apps reach it, whoever has started it.
package serving

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// place says where a process listens. It is in a file of the user, so that other programs know.
type place struct {
	Address string `json:"address"`
	Pid     int    `json:"pid"`
}

// maxPlace is the largest file that is read, in bytes.
const maxPlace = 4 << 10

// Announce writes to a file that apps reach this process at an address. end takes that back, unless another process
// has announced itself meanwhile.
func Announce(file, address string) (end func(), err error) {
	own := place{here(address), os.Getpid()}
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Overwrite(file, append(text, '\n')); err != nil {
		return nil, err
	}
	return func() {
		if announced(file) == own {
			_ = os.Remove(file) // whoever reads it asks whether somebody answers
		}
	}, nil
}

// here returns an address under which this computer reaches a process that listens at all of its addresses.
func here(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	return u.String()
}

// announced returns what a file says, or nothing.
func announced(file string) (at place) {
	text, err := atomicfile.Read(file, maxPlace)
	if err == nil && json.Unmarshal(text, &at) != nil {
		return place{}
	}
	return at
}

// patience is how long an answer of a process on this computer may take.
const patience = 2 * time.Second

// answers reports whether somebody answers at an address. A process that was killed has not taken its file back.
func (p place) answers() bool {
	u, err := url.Parse(p.Address)
	if err != nil || u.Host == "" {
		return false
	}
	u.Path = "/healthz"
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return false
	}
	// The certificate has the name by which others reach it. Nothing that is secret is sent.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // see above
	answer, err := client.Do(r)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
