package foreign

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// link recognises a text that is a single address: that of a server, one that makes an app add a server, or
// that of a page about a server.
func (p *parser) link(text string) bool {
	text = strings.Trim(strings.TrimSpace(text), "<>\"'`")
	if m := markdownLink.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if text == "" || strings.ContainsAny(text, "\n\t") || strings.ContainsAny(text, " {") &&
		!installScheme.MatchString(text) {
		return false
	}
	if bareHost.MatchString(text) {
		text = "https://" + text
		if strings.HasPrefix(text, "https://localhost") || strings.HasPrefix(text, "https://127.") {
			text = "http://" + strings.TrimPrefix(text, "https://")
		}
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme == "" {
		return false
	}
	switch {
	case address.Scheme != "http" && address.Scheme != "https":
		return readInstallLink(p, address)
	case address.Host == "":
		return false
	case isInstallPage(address):
		return readInstallLink(p, address)
	}
	if inner := redirected(address); inner != nil {
		return readInstallLink(p, inner)
	}
	return readPage(p, address) || readAddress(p, text)
}

// redirected returns the link inside the address of a VS Code redirect page; nil for all other addresses.
func redirected(address *url.URL) *url.URL {
	if !onSite(address.Host, "vscode.dev") || !strings.HasPrefix(address.Path, "/redirect") {
		return nil
	}
	inner, err := url.Parse(address.Query().Get("url"))
	if err != nil || !strings.HasPrefix(inner.Scheme, "vscode") {
		return nil
	}
	return inner
}

// onSite reports whether a host is a domain or one of its subdomains.
func onSite(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

var (
	// installScheme matches links that make an app add a server, including links whose JSON is not encoded.
	installScheme = lazyregexp.New(`^(?i:vscode|vscode-insiders|cursor|workbench|lmstudio|goose):`)

	// linkInText matches such a link, or the address of a page that leads to one, within other text.
	linkInText = lazyregexp.New(`(?i:(?:vscode|vscode-insiders|cursor|workbench|lmstudio):[a-z/]|https://[a-z.-]*(?:cursor\.com|vscode\.dev|lmstudio\.ai)/)[^\s<>"'\x60)\]]*install[^\s<>"'\x60)\]]+|workbench:/{0,2}add/?\?[^\s<>"'\x60)\]]+`)

	markdownLink = lazyregexp.New(`^\[[^\]\n]*\]\((\S+)\)$`)
	bareHost     = lazyregexp.New(
		`^(?:localhost|127\.0\.0\.1|(?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?/(?:\S*/)?(?:mcp|sse)/?$`)
)

// readAddress adds a server on the web.
func readAddress(p *parser, text string) bool {
	t := &translation{}
	t.Server.URL = text
	t.tidyTransport()
	if last := path.Base(strings.TrimRight(strings.SplitN(text, "?", 2)[0], "/")); last != "mcp" && last != "sse" {
		t.note(words.New("foreign.check_address"))
	}
	p.recognised(words.New("foreign.kind_address"))
	p.add("", t)
	return true
}

// isInstallPage reports whether an address passes a server on to an app.
func isInstallPage(address *url.URL) bool {
	query := address.Query()
	return query.Get("config") != "" && strings.Contains(address.Path, "install")
}

// readInstallLink reads the server from an address that makes an app add it: cursor://, vscode:, lmstudio:// and
// pages that lead there.
func readInstallLink(p *parser, address *url.URL) bool {
	kind := words.New("foreign.kind_link", "App", shown(address.Scheme))
	before := len(p.entries)
	defer func() {
		for i := before; i < len(p.entries); i++ {
			p.entries[i].FromLink = true
		}
	}()
	switch {
	case address.Scheme == "workbench":
		if action := strings.Trim(address.Host+address.Path+address.Opaque, "/"); action != "add" {
			p.refuse(words.New("foreign.link_not_add", "What", shown(action)), words.New("foreign.hint_link"))
			return false
		}
		kind = words.New("foreign.kind_link", "App", "Workbench")
	case address.Scheme == "cursor" || onSite(address.Host, "cursor.com"):
		kind = words.New("foreign.kind_link", "App", "Cursor")
	case strings.HasPrefix(address.Scheme, "vscode") || onSite(address.Host, "vscode.dev"):
		kind = words.New("foreign.kind_link", "App", "VS Code")
	case address.Scheme == "lmstudio" || onSite(address.Host, "lmstudio.ai"):
		kind = words.New("foreign.kind_link", "App", "LM Studio")
	case address.Scheme == "goose":
		kind = words.New("foreign.kind_link", "App", "Goose")
	}
	query := address.Query()
	config := query.Get("config")
	if strings.HasPrefix(strings.TrimSpace(address.RawQuery), "{") || strings.HasPrefix(address.RawQuery, "%7B") ||
		strings.HasPrefix(address.RawQuery, "%7b") {
		config = "" // this link has no parameters, and its JSON may contain "&"
	}
	if config == "" && address.RawQuery != "" && strings.Contains(address.String(), "install") {
		config, _ = url.QueryUnescape(address.RawQuery) // vscode:mcp/install?{…}
	}
	if address.Scheme == "goose" && (query.Get("cmd") != "" || isAddress(query.Get("url"))) {
		return readGooseLink(p, query, kind)
	}
	if config == "" {
		p.refuse(words.New("foreign.link_without_server"), words.New("foreign.hint_what_to_paste"))
		return false
	}
	if !strings.HasPrefix(strings.TrimSpace(config), "{") {
		decoded, ok := decodeBase64(config)
		if !ok {
			p.refuse(words.New("foreign.link_unreadable"), words.New("foreign.hint_link"))
			return false
		}
		config = decoded
	}
	return p.jsonArgument(kind, query.Get("name"), config)
}

func readGooseLink(p *parser, query url.Values, kind words.Text) bool {
	t := &translation{from: map[string][]string{}}
	if query.Get("cmd") != "" {
		t.Server = config.Server{Command: query.Get("cmd"), Args: query["arg"]}
	} else {
		t.Server.URL, t.given = query.Get("url"), query.Get("type")
	}
	for _, env := range query["env"] {
		name, _, _ := strings.Cut(env, "=")
		t.wants(name)
	}
	for _, header := range query["header"] {
		if name, value, ok := strings.Cut(header, "="); ok && name != "" {
			t.Server.Headers = append(t.Server.Headers, config.Variable{Name: name, Value: value})
		} else {
			t.leave("header", words.New("foreign.no_assignment"))
		}
	}
	if query.Has("timeout") {
		t.leave("timeout", words.New("foreign.time_limit"))
	}
	t.tidyTransport()
	t.tidyCommand()
	t.noteLeft()
	p.recognised(kind)
	p.add(query.Get("id"), t)
	return true
}

// decodeBase64 decodes both alphabets, with or without padding, and accepts a space for a plus.
func decodeBase64(text string) (string, bool) {
	text = strings.TrimRight(strings.NewReplacer(" ", "+", "-", "+", "_", "/").Replace(text), "=")
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return "", false
	}
	decoded := string(data)
	if unescaped, err := url.QueryUnescape(decoded); err == nil && strings.HasPrefix(decoded, "%") {
		decoded = unescaped
	}
	return decoded, true
}

// readPage recognises the addresses of pages about servers, which are no servers themselves.
func readPage(p *parser, address *url.URL) bool {
	host := strings.TrimPrefix(strings.ToLower(address.Host), "www.")
	switch {
	case host == "npmjs.com" && strings.HasPrefix(address.Path, "/package/"):
		return addPackage(p, "npx", strings.Trim(strings.TrimPrefix(address.Path, "/package/"), "/"))
	case host == "pypi.org" && strings.HasPrefix(address.Path, "/project/"):
		name, _, _ := strings.Cut(strings.TrimPrefix(address.Path, "/project/"), "/")
		return addPackage(p, "uvx", name)
	case host == "github.com" || host == "gitlab.com" || host == "codeberg.org" || host == "bitbucket.org":
		p.refuse(words.New("foreign.project_page"), words.New("foreign.hint_project_page"))
		return true
	case host == "smithery.ai" || host == "mcp.so" || host == "glama.ai" || host == "pulsemcp.com" ||
		host == "mcpservers.org" || host == "hub.docker.com":
		p.refuse(words.New("foreign.server_page"), words.New("foreign.hint_server_page"))
		return true
	}
	return false
}

var packageWord = lazyregexp.New(`^(?:@[a-z0-9][a-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*$`)

// addPackage adds a package from the address of its page in a registry.
func addPackage(p *parser, runner, name string) bool {
	if before, _, ok := strings.Cut(name, "/v/"); ok {
		name = before
	}
	if !packageWord.MatchString(name) {
		p.refuse(words.New("foreign.package_page"), words.New("foreign.hint_what_to_paste"))
		return true
	}
	t := &translation{}
	t.Server = config.Server{Transport: config.TransportStdio, Command: runner, Args: []string{name}}
	if runner == "npx" {
		t.Server.Args = []string{"-y", name}
	}
	t.note(words.New("foreign.page_of_package", "Command", CommandLine(&t.Server)))
	p.recognised(words.New("foreign.kind_package_page"))
	p.add("", t)
	return true
}

var webAddress = lazyregexp.New(`https?://[^\s<>"'\x60)\]]+`)

// readInstallLinks finds links that make an app add a server within other text, such as the links of badges.
func readInstallLinks(p *parser, text string) bool {
	for _, link := range linkInText.FindAllString(text, 20) {
		address, err := url.Parse(strings.TrimRight(link, ".,;!*"))
		if err != nil {
			continue
		}
		if inner := redirected(address); inner != nil {
			address = inner
		}
		if (!strings.HasPrefix(address.Scheme, "http") || isInstallPage(address)) && readInstallLink(p, address) {
			return true // other badges add the same server to other apps
		}
	}
	return false
}

// readAddresses finds addresses within other text that end as those of servers do.
func readAddresses(p *parser, text string) bool {
	found := false
	for _, address := range webAddress.FindAllString(text, 20) {
		address = strings.TrimRight(address, ".,;:!?*")
		if looksMCP(address) {
			found = readAddress(p, address) || found
		}
	}
	if found && besideAddress.MatchString(text) {
		p.say(words.New("foreign.only_address"))
	}
	return found
}

// besideAddress matches what a text says about a server besides its address, in whatever language it is written.
var besideAddress = lazyregexp.New(
	`(?i)(?:\b(?:headers?|authorization|command|cmd|args|env|token|api_?key)["']?\s*[:=]|:(?:command|args|token|headers)\b)`)

// looksMCP reports whether an address ends as those of servers do.
func looksMCP(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return false
	}
	last := path.Base(strings.TrimRight(parsed.Path, "/"))
	return last == "mcp" || last == "sse" || strings.HasPrefix(parsed.Host, "mcp.") && len(parsed.Path) <= 1
}
