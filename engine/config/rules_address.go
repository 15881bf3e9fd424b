package config

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var emptyURL = Rule{Code: "empty-url",
	About: "\"url\" is empty, or contains only spaces.",
	Entry: `"url": ""`,
	remote: func(d *diagnoser, r Rule, e *entry, m member) {
		if strings.TrimSpace(e.URL) == "" {
			d.sayAt(r, m.value.Span, m.at, words.New("config.empty_url"), words.New("config.empty_url.hint"))
		}
	}}

var badURLSyntax = Rule{Code: "bad-url-syntax",
	About: "\"url\" cannot be read as an address at all: a bracket or a percent sign is wrong, for example.",
	Entry: `"url": "http://[x"`,
	remote: func(d *diagnoser, r Rule, e *entry, m member) {
		if _, err := url.Parse(e.URL); err != nil && strings.TrimSpace(e.URL) == e.URL {
			d.sayAt(r, m.value.Span, m.at, words.New("config.bad_url_syntax"), words.New("config.bad_url.hint"))
		}
	}}

var badURL = Rule{Code: "bad-url",
	About: "\"url\" has to be a whole http or https address.",
	Entry: `"url": "example.com/mcp"`,
	remote: func(d *diagnoser, r Rule, e *entry, m member) {
		if strings.TrimSpace(e.URL) == "" {
			return
		}
		if message, ok := checkURL(e.URL); !ok && message.Code != "config.bad_url_syntax" {
			problem := d.sayAt(r, m.value.Span, m.at, message, words.New("config.bad_url.hint"))
			offerAddress(d, problem, m.value, e.URL)
		}
	}}

// checkURL reports whether a text without references is a remote server's address. If not, wrong says why.
func checkURL(address string) (wrong words.Text, ok bool) {
	parsed, err := url.Parse(address)
	switch {
	case strings.TrimSpace(address) != address:
		return words.New("config.bad_url_space"), false
	case err != nil:
		return words.New("config.bad_url_syntax"), false
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return words.New("config.bad_url_scheme"), false
	case parsed.Hostname() == "":
		return words.New("config.bad_url_host"), false
	}
	return words.Text{}, true
}

// host matches the beginning of an address without http:// or https://. The first group of the match is set for a host
// on this computer. It returns nil if there is no match.
func host(address string) []string {
	return regexp.MustCompile(`^(?:(localhost|127\.[0-9.]+|\[::1\])|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?::[0-9]+)?(?:[/?]|$)`).FindStringSubmatch(address)
}

// offerAddress proposes to add the missing scheme to an address.
func offerAddress(d *diagnoser, problem *Diagnostic, v *node, address string) {
	if problem == nil || d.noFixes() {
		return
	}
	at := v.Start + 1
	trimmed := strings.TrimSpace(address)
	found := host(trimmed)
	scheme := ""
	if found != nil {
		scheme = "https://"
		if found[1] != "" {
			scheme = "http://" // a server on this computer rarely has a certificate
		}
	}
	switch {
	case trimmed == address && found != nil:
		d.offer(problem, words.New("config.fix.write_before", "Text", scheme), put(at, at, scheme))
	case trimmed != address:
		changes := d.src.trim(v.Span)
		if _, ok := checkURL(trimmed); !ok && found != nil && len(changes) > 0 && changes[0].Start > at {
			changes = append(changes, put(at, at, scheme))
		}
		d.offer(problem, words.New("config.fix.correct_address"), changes...)
	}
}
