package signin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// stepTime is the time limit of one request.
	stepTime = 30 * time.Second
	// maxAnswer is the largest answer that is read, in bytes.
	maxAnswer = 1 << 20
)

// newClient returns an HTTP client for signing in to one resource. It uses only encrypted addresses, unless
// the resource is on this computer, and does not follow redirects to another host.
func (s *Store) newClient(resource string) *http.Client {
	u, _ := url.Parse(resource) // resourceOf has checked it
	return &http.Client{
		Timeout:   s.step,
		Transport: &careful{base: s.base, local: u.Scheme == "http"},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			if first := before[0]; next.URL.Host != first.URL.Host || first.Method != http.MethodGet || len(before) >= 5 {
				return words.NewError("signin.redirected")
			}
			return nil
		},
	}
}

// careful is a RoundTripper that refuses addresses without encryption and limits the size of answers.
type careful struct {
	base  http.RoundTripper
	local bool // requests to this computer need no encryption
}

func (c *careful) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := c.check(request.URL); err != nil {
		if request.Body != nil {
			_ = request.Body.Close()
		}
		return nil, err
	}
	response, err := c.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, maxAnswer), response.Body}
	return response, nil
}

func (c *careful) check(u *url.URL) error {
	if u.Scheme == "https" || u.Scheme == "http" && c.local && loopback(u.Hostname()) {
		return nil
	}
	return insecureError{u.Hostname()}
}

type insecureError struct{ host string }

func (e insecureError) Error() string { return e.Text().String() }

func (e insecureError) Text() words.Text {
	return words.New("signin.insecure", "Host", words.Quoted(e.host))
}

// loopback reports whether a host is this computer.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// errAbsent means that there is no document at an address.
const errAbsent = words.Code("signin.absent")

// get reads a JSON document. An answer that is not JSON counts as no document, since many web servers answer
// every request with a page.
func get(ctx context.Context, client *http.Client, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errNoAddress
	}
	// No version has been agreed on yet; servers that do not know this one ignore it.
	request.Header.Set("MCP-Protocol-Version", mcp.LATEST_PROTOCOL_VERSION)
	var refused *refusedError
	switch err := do(client, request, into); {
	case errors.As(err, &refused), errors.Is(err, errNoJSON):
		return errAbsent
	default:
		return err
	}
}

// postJSON posts JSON, and reads the answer.
func postJSON(ctx context.Context, client *http.Client, address string, what, into any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errNoAddress
	}
	request.Header.Set("Content-Type", "application/json")
	return do(client, request, into)
}

// do sends a request and reads the JSON answer.
func do(client *http.Client, request *http.Request, into any) error {
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", network.UserAgent)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return &url.Error{Op: request.Method, URL: request.URL.Host, Err: err}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		var says struct {
			Error string `json:"error"`
		}
		_ = json.Unmarshal(body, &says) // most refusals have no usable body
		return &refusedError{code: word(says.Error), status: response.StatusCode}
	}
	body = bytes.TrimLeft(body, " \t\r\n\ufeff")
	if !bytes.HasPrefix(body, []byte("{")) {
		return errNoJSON
	}
	err = json.Unmarshal(body, into)
	if errors.As(err, new(*json.UnmarshalTypeError)) {
		return nil // members of a wrong type count as absent
	}
	return err
}

// texts is a list of strings. Some services send one string, with spaces between its parts.
type texts []string

// UnmarshalJSON implements [json.Unmarshaler]. Other values count as absent.
func (t *texts) UnmarshalJSON(source []byte) error {
	var list []string
	var text string
	if json.Unmarshal(source, &list) != nil && json.Unmarshal(source, &text) == nil {
		list = strings.Fields(text)
	}
	*t = list
	return nil
}

const errNoJSON = words.Code("signin.no_json")

const errNoAddress = words.Code("signin.it_has_no_address")

// plainly returns the error for a failed step, without text from the server, which may repeat what was sent. An error
// that is a code is returned unchanged.
func plainly(what words.Code, err error) error {
	var refused *refusedError
	var insecure insecureError
	var lost *url.Error
	var own words.Code
	switch {
	case errors.As(err, &refused):
		return &refusedError{what, refused.code, refused.status}
	case errors.As(err, &insecure):
		return words.NewError("signin.step_failed", "Step", what.Text(), "Why", insecure)
	case errors.As(err, &lost) && lost.Timeout():
		return words.NewError("signin.step_timed_out", "Step", what.Text())
	case errors.As(err, &lost):
		return words.NewError("signin.step_failed", "Step", what.Text(), "Why", lost.Err)
	case errors.As(err, &own):
		return own
	}
	return words.NewError("signin.step_unusable", "Step", what.Text())
}

// refusedError is a refusal by the sign-in service.
type refusedError struct {
	what   words.Code
	code   string
	status int // the HTTP status; 0 for an answer through the browser
}

func (e *refusedError) Error() string { return e.Text().String() }

func (e *refusedError) Text() words.Text {
	switch {
	case e.code != "":
		return words.New("signin.refused_with", "Step", e.what, "Code", e.code)
	case e.status >= http.StatusInternalServerError:
		return words.New("signin.answered_status", "Step", e.what, "Status", e.status)
	case e.status != 0:
		return words.New("signin.refused_status", "Step", e.what, "Status", e.status)
	}
	return words.New("signin.refused", "Step", e.what)
}

// unknown reports whether the service does not know us as a client.
func (e *refusedError) unknown() bool {
	switch e.code {
	case "invalid_client", "unauthorized_client", "invalid_request", "invalid_client_metadata", "invalid_redirect_uri":
		return true
	}
	return false
}

// forGood reports whether a refused renewal means that the user has to sign in again. Services have codes of their own
// for that, such as GitHub's bad_refresh_token, and some send them with status 200.
func (e *refusedError) forGood() bool {
	switch {
	case e.code == "", e.code == "temporarily_unavailable", e.code == "server_error", e.code == "slow_down":
		return false
	case e.status == 0 || e.status == http.StatusOK:
		return slices.ContainsFunc([]string{"grant", "token", "client"}, func(about string) bool {
			return strings.Contains(e.code, about)
		})
	}
	return e.status == http.StatusBadRequest || e.status == http.StatusUnauthorized || e.status == http.StatusForbidden
}

// word returns an error code of RFC 6749; "" for any other text.
func word(code string) string {
	if len(code) > 40 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return code
}
