package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	product   = "Workbench" // how robots.txt can name us
	maxRobots = 512 << 10   // bytes of robots.txt that count (RFC 9309, section 2.5: at least 500 KiB)
)

// checkRobots returns an error if robots.txt of the site forbids programs to read an address (RFC 9309). A site
// without robots.txt forbids nothing. A site whose robots.txt cannot be fetched forbids all. So does one that shows
// it to nobody without a password: RFC 9309 would allow to go on, but the reference server does not.
func (w web) checkRobots(ctx context.Context, address *url.URL) error {
	response, err := w.get(ctx, w.client, &url.URL{Scheme: address.Scheme, Host: address.Host, Path: "/robots.txt"})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	status := response.StatusCode
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status >= 500:
		return &refusal{fmt.Sprintf("robots.txt of %s answers with the status %s, so programs may not read the site. The "+
			"person can open it in a browser", address.Host, response.Status)}
	case status >= 300:
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxRobots))
	if err != nil {
		return fmt.Errorf("robots.txt of %s cannot be read: %w", address.Host, err)
	}
	if !mayRead(string(content), address) {
		return &refusal{fmt.Sprintf("robots.txt of %s says that programs may not read %s. The person can open it in a "+
			"browser", address.Host, address.Path)}
	}
	return nil
}

// rule is a line of robots.txt that allows or forbids paths.
type rule struct {
	pattern string
	allows  bool
}

// mayRead reports whether a robots.txt allows us to read an address. The longest rule that fits counts (RFC 9309,
// section 2.2.2).
func mayRead(robots string, address *url.URL) bool {
	path := normal(address.RequestURI())
	longest := rule{allows: true}
	for _, r := range rules(robots) {
		longer := len(r.pattern) > len(longest.pattern) || len(r.pattern) == len(longest.pattern) && r.allows
		if longer && r.fits(path) {
			longest = r
		}
	}
	return longest.allows
}

// rules returns the rules for us: those of all groups that name us, or else of all groups for everybody (section
// 2.2.1). Lines that are not known are left out, so that a mistake in one does not undo the others.
func rules(robots string) []rule {
	groups := map[string][]rule{}
	var agents []string // of the group
	begins := false     // only the group's agents have been named so far
	lines := strings.FieldsFunc(strings.TrimPrefix(robots, "\uFEFF"), func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "user-agent":
			if !begins {
				agents, begins = nil, true
			}
			name, _, _ := strings.Cut(value, "/") // without the version
			name = strings.ToLower(strings.TrimSpace(name))
			agents = append(agents, name)
			groups[name] = append(groups[name], rule{allows: true}) // a group without rules allows everything
		case "allow", "disallow":
			begins = false
			if value == "" {
				continue
			}
			if value[0] != '/' && value[0] != '*' {
				value = "/" + value
			}
			for _, agent := range agents {
				groups[agent] = append(groups[agent], rule{normal(value), key == "allow"})
			}
		case "crawl-delay":
			begins = false
		}
	}
	if own, named := groups[strings.ToLower(product)]; named {
		return own
	}
	return groups["*"]
}

// fits reports whether a path begins as the pattern says. In the pattern, * is any text, and $ at its end is the end
// of the path.
func (r rule) fits(path string) bool {
	pattern, whole := strings.CutSuffix(r.pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, begins := strings.CutPrefix(path, parts[0])
	if !begins {
		return false
	}
	for i, part := range parts[1:] {
		if whole && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !whole || rest == ""
}

// normal returns a path in which each character is written in one way: escaped where it is not ASCII, and not where it
// needs no escape.
func normal(path string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c, escaped := path[i], path[i] >= 0x80
		if c == '%' && i+2 < len(path) {
			high, low := strings.IndexByte(digits, upper(path[i+1])), strings.IndexByte(digits, upper(path[i+2]))
			if high >= 0 && low >= 0 {
				c, escaped, i = byte(high<<4|low), true, i+2
			}
		}
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
		if escaped && !plain {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'f' {
		c -= 'a' - 'A'
	}
	return c
}
