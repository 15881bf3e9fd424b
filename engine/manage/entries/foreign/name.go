package foreign

import (
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// plausibleName reports whether the name that a text gives an entry is usable, and not a placeholder or a
// number.
func plausibleName(name string) bool {
	if len(name) > 100 || strings.ContainsAny(name, "<>{}\n\t") || strings.TrimSpace(name) == "" {
		return false
	}
	switch strings.ToLower(name) {
	case "name", "server-name", "servername", "server_name", "your-server-name", "my-server-name", "mcp-server", "mcp",
		"server":
		return false
	}
	return true
}

// NameFor returns a name for a server, made from the name that others use, or from what it starts if that
// name is not usable.
func NameFor(called string, s *config.Server) string {
	if name := packageName(called); name != "" {
		return name
	}
	return suggest(s)
}

// suggest returns a name for a server from its program or its address: "filesystem" for
// @modelcontextprotocol/server-filesystem, "deepwiki" for https://mcp.deepwiki.com/mcp.
func suggest(s *config.Server) string {
	if s.URL != "" {
		if name := hostName(s.URL); name != "" {
			return name
		}
		return "web-server"
	}
	for _, word := range s.Args { // for mcp-remote and the like
		if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
			if pkg := launcher.FirstWord(s.Command, s.Args); strings.Contains(pkg, "mcp-remote") ||
				strings.Contains(pkg, "supergateway") || strings.Contains(pkg, "mcp-proxy") {
				if name := hostName(word); name != "" {
					return name
				}
			}
		}
	}
	if launcher.Is(s.Command, launcher.Unknown) {
		if name := packageName(process.Name(s.Command)); name != "" {
			return name
		}
	}
	if name := packageName(launcher.Subject(s.Command, s.Args)); name != "" {
		return name
	}
	if name := packageName(s.Cwd); name != "" {
		return name
	}
	return "my-server"
}

var (
	version  = lazyregexp.New(`(?:@[^/@]*|[=~<>!]=.*|\[[^\]]*\])$`)
	ending   = lazyregexp.New(`\.(?:js|mjs|cjs|ts|py|jar|rb|sh|exe|cmd|bat|dll|csproj|go|php)$`)
	dullWord = lazyregexp.New(`^(?:index|main|server|dist|build|src|bin|lib|app|out|target|release|debug|start|run|cli|stdio|mcp|mcp-server|server-mcp|node_modules|__main__|\.|\.\.|[A-Za-z]:|)$`)
)

// packageName returns the usual name of a package, an image, a path or a module.
func packageName(subject string) string {
	subject = strings.TrimSpace(subject)
	for _, prefix := range []string{"git+", "jsr:", "npm:"} {
		subject = strings.TrimPrefix(subject, prefix)
	}
	subject = strings.TrimSuffix(subject, ".git")
	if len(subject) > 500 {
		return ""
	}
	if i := strings.LastIndexByte(subject, '@'); i > 0 {
		subject = subject[:i]
	}
	subject = version.ReplaceAllStringFunc(subject, func(found string) string {
		if len(found) == len(subject) {
			return found
		}
		return ""
	})
	parts := strings.FieldsFunc(subject, func(r rune) bool { return r == '/' || r == '\\' })
	for _, part := range slices.Backward(parts) {
		if strings.ContainsAny(part, "<>{}$") {
			continue
		}
		part = strings.TrimPrefix(ending.ReplaceAllString(strings.ToLower(part), ""), "@")
		if name := core(part); !dullWord.MatchString(name) {
			return cleanName(name)
		}
	}
	return ""
}

// core removes "mcp" and "server" from both ends of a name.
func core(name string) string {
	name = strings.ReplaceAll(name, "_", "-")
	for {
		before := name
		for _, prefix := range []string{"mcp-server-", "server-", "mcp-", "modelcontextprotocol-"} {
			if rest := strings.TrimPrefix(name, prefix); rest != "" {
				name = rest
			}
		}
		for _, suffix := range []string{"-mcp-server", "-server", "-mcp", "-mcpserver"} {
			if rest := strings.TrimSuffix(name, suffix); rest != "" {
				name = rest
			}
		}
		if name == before {
			return name
		}
	}
}

// cleanName keeps the letters, digits, "-" and "_" of a name, and limits its length.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == ' ', r == '.', r == '+':
			return '-'
		}
		return -1
	}, strings.ToLower(name))
	if len(name) > 40 {
		name = name[:40]
	}
	return strings.Trim(name, "-_")
}

// hostName makes a name from an address: that of the service, without www, api and mcp.
func hostName(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Hostname() == "" {
		return ""
	}
	host := strings.ToLower(parsed.Hostname())
	if host == "localhost" || net.ParseIP(host) != nil {
		for _, part := range slices.Backward(strings.Split(path.Clean(parsed.Path), "/")) {
			if name := core(cleanName(part)); name != "" && !dullWord.MatchString(name) && name != "sse" {
				return name
			}
		}
		return "local-server"
	}
	if host == "api.githubcopilot.com" {
		return "github"
	}
	labels := strings.Split(host, ".")
	labels = labels[:max(1, len(labels)-1)] // remove the top level domain
	if n := len(labels); n > 1 && slices.Contains([]string{"co", "com", "org", "net", "ac", "gov"}, labels[n-1]) {
		labels = labels[:n-1]
	}
	// The name of a hosting service says nothing about the server.
	if n := len(labels); n > 1 && slices.Contains(
		[]string{"workers", "vercel", "netlify", "fly", "onrender", "herokuapp", "railway", "up", "azurewebsites", "run",
			"pages", "github", "ngrok", "ngrok-free"}, labels[n-1]) {
		return cleanName(core(labels[0]))
	}
	name := core(labels[len(labels)-1])
	if dullWord.MatchString(name) && len(labels) > 1 {
		name = core(labels[len(labels)-2])
	}
	return cleanName(name)
}
