package updates

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of the request.
const (
	maxAnswer  = 2 << 20          // bytes; a list of twenty releases with all their files has a tenth of it
	answerTime = 15 * time.Second // for all of it
)

// errNowhere means that there is no folder for what has to be kept.
var errNowhere = errors.New("there is no place to keep it")

// version is a version without what may stand behind a hyphen.
type version struct {
	numbers [3]int
	early   bool // it comes before the version of these numbers, as 1.2.3-rc.1 does
}

// shape is what a version looks like. Five digits are enough for every day of two centuries.
var shape = lazyregexp.New(`^v?(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})(-[0-9A-Za-z.-]+)?$`)

// parse reads a version such as v1.2.3.
func parse(text string) (version, bool) {
	found := shape.FindStringSubmatch(text)
	if found == nil {
		return version{}, false
	}
	var v version
	for i := range v.numbers {
		v.numbers[i], _ = strconv.Atoi(found[i+1]) // five digits
	}
	v.early = found[4] != ""
	return v, true
}

func (v version) String() string {
	var parts []string
	for _, number := range v.numbers {
		parts = append(parts, strconv.Itoa(number))
	}
	return strings.Join(parts, ".")
}

// before reports whether v comes before other.
func (v version) before(other version) bool {
	for i, number := range v.numbers {
		if number != other.numbers[i] {
			return number < other.numbers[i]
		}
	}
	return v.early && !other.early
}

// checked returns the parsed address of a list, which must use https or be on this computer.
func checked(text string) (*url.URL, error) {
	address, err := url.Parse(strings.TrimSpace(text))
	if err == nil && address.Host != "" && address.User == nil {
		ip := net.ParseIP(address.Hostname())
		if address.Scheme == "https" || address.Scheme == "http" && ip != nil && ip.IsLoopback() {
			return address, nil
		}
	}
	return nil, words.NewError("registry.address", "Address", visible.Line(text), "Variable", Variable)
}

// client returns the HTTP client. It has no cookies, and follows a redirect to the same host alone.
func client(base http.RoundTripper) *http.Client {
	return &http.Client{
		Timeout:   answerTime,
		Transport: base,
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			if first := before[0].URL; next.URL.Host != first.Host || next.URL.Scheme != first.Scheme || len(before) >= 5 {
				return words.NewError("registry.redirected", "Host", first.Host)
			}
			return nil
		},
	}
}

// ask asks for the list and returns its newest release. The request says nothing about this computer, not even which
// version it has.
func (u *Updates) ask(ctx context.Context) (version, error) {
	if u.err != nil {
		return version{}, u.err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.address.String(), nil)
	if err != nil {
		return version{}, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "workbench-desktop")
	response, err := u.client.Do(request)
	if err != nil {
		return version{}, u.unreachable(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return version{}, words.NewError("registry.status", "Host", u.address.Host, "Status", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return version{}, u.unreachable(ctx, err)
	case len(body) > maxAnswer:
		return version{}, words.NewError("registry.too_large", "Host", u.address.Host, "MiB", maxAnswer>>20)
	}
	newest, ok := newestOf(body)
	if !ok {
		return version{}, words.NewError("updates.unreadable", "Host", u.address.Host)
	}
	return newest, nil
}

// newestOf returns the highest version of a list of releases. A release that is a draft, or comes before one, does not
// count, and neither does a version that is none.
func newestOf(list []byte) (newest version, ok bool) {
	var releases []struct {
		Tag        string `json:"tag_name"`
		Draft      bool   `json:"draft"`
		Prerelease bool   `json:"prerelease"`
	}
	if json.Unmarshal(list, &releases) != nil {
		return version{}, false
	}
	for _, release := range releases {
		found, understood := parse(release.Tag)
		if !understood || found.early || release.Draft || release.Prerelease {
			continue
		}
		if !ok || newest.before(found) {
			newest, ok = found, true
		}
	}
	return newest, ok
}

// unreachable returns why there is no answer. The error of a request that was given up is [context.Canceled].
func (u *Updates) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return words.NewError("registry.slow", "Host", u.address.Host, "Seconds", int(answerTime/time.Second))
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	var sentence interface{ Text() words.Text }
	if errors.As(err, &sentence) { // a redirect that is not followed
		return err
	}
	return words.NewError("registry.unreachable", "Host", u.address.Host, "Why", err)
}
