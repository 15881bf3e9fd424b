package registry

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// answer is the result of one request.
type answer struct {
	servers []Server
	next    string
	skipped int
}

// Server is one server of a registry. Its texts are one line each, without invisible characters.
type Server struct {
	Name        string // in the registry, such as io.github.user/weather
	Title       string // the name for people; never empty
	Description string
	Version     string
	Publisher   Publisher
	Page        string // its website or the page of its source code, with https; may be empty
	Updated     time.Time

	// Deprecated is set if the publisher advises against the server. Advice is the reason, which may be
	// empty.
	Deprecated bool
	Advice     string

	// Ways are the ways to run the server, the simplest first. There may be none.
	Ways []Way
}

// Publisher is the owner of a server's namespace. The official registry verifies this.
type Publisher struct {
	GitHub string // an account on GitHub
	Domain string // otherwise, the domain of the owner
}

// Text names the publisher.
func (p Publisher) Text() words.Text {
	if p.GitHub != "" {
		return words.New("registry.publisher_github", "Name", p.GitHub)
	}
	return words.New("registry.publisher_domain", "Domain", p.Domain)
}

// Name returns the address by which a publisher is known.
func (p Publisher) Name() string {
	if p.GitHub != "" {
		return "github.com/" + p.GitHub
	}
	return p.Domain
}

// The JSON of the registry's API, as far as it is used.
type (
	listJSON struct {
		Servers  []json.RawMessage `json:"servers"`
		Metadata struct {
			NextCursor string `json:"nextCursor"`
		} `json:"metadata"`
	}
	responseJSON struct {
		Server serverJSON `json:"server"`
		Meta   struct {
			Official *officialJSON `json:"io.modelcontextprotocol.registry/official"`
		} `json:"_meta"`
	}
	officialJSON struct {
		Status        string `json:"status"`
		StatusMessage string `json:"statusMessage"`
		UpdatedAt     string `json:"updatedAt"`
		PublishedAt   string `json:"publishedAt"`
		IsLatest      *bool  `json:"isLatest"`
	}
	serverJSON struct {
		Name        string `json:"name"`
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
		WebsiteURL  string `json:"websiteUrl"`
		Status      string `json:"status"`
		Repository  *struct {
			URL string `json:"url"`
		} `json:"repository"`
		Packages []packageJSON   `json:"packages"`
		Remotes  []transportJSON `json:"remotes"`
	}
	packageJSON struct {
		RegistryType         string        `json:"registryType"`
		RegistryBaseURL      string        `json:"registryBaseUrl"`
		Identifier           string        `json:"identifier"`
		Version              string        `json:"version"`
		Transport            transportJSON `json:"transport"`
		RuntimeArguments     []inputJSON   `json:"runtimeArguments"`
		PackageArguments     []inputJSON   `json:"packageArguments"`
		EnvironmentVariables []inputJSON   `json:"environmentVariables"`
	}
	transportJSON struct {
		Type      string               `json:"type"`
		URL       string               `json:"url"`
		Headers   []inputJSON          `json:"headers"`
		Variables map[string]inputJSON `json:"variables"`
	}
	inputJSON struct {
		Type        string               `json:"type"` // of an argument: positional or named
		Name        string               `json:"name"`
		ValueHint   string               `json:"valueHint"`
		Description string               `json:"description"`
		Format      string               `json:"format"`
		Value       string               `json:"value"`
		Default     string               `json:"default"`
		Placeholder string               `json:"placeholder"`
		IsRequired  bool                 `json:"isRequired"`
		IsSecret    bool                 `json:"isSecret"`
		Choices     []string             `json:"choices"`
		Variables   map[string]inputJSON `json:"variables"`
	}
)

// readAnswer reads a list of servers. Servers that cannot be understood are left out and counted. ok reports
// whether the text is a list at all.
func readAnswer(body []byte) (a answer, ok bool) {
	var list listJSON
	if json.Unmarshal(body, &list) != nil || list.Servers == nil {
		return answer{}, false
	}
	if len(list.Servers) > maxServers {
		a.skipped += len(list.Servers) - maxServers
		list.Servers = list.Servers[:maxServers]
	}
	for _, one := range list.Servers {
		server, ok := readServer(one)
		same := func(other Server) bool { return other.Name == server.Name }
		if !ok || slices.ContainsFunc(a.servers, same) {
			a.skipped++
			continue
		}
		a.servers = append(a.servers, server)
	}
	if len(list.Metadata.NextCursor) <= maxCursor {
		a.next = list.Metadata.NextCursor
	}
	return a, true
}

// serverName matches the name of a server: a namespace and a name in it.
var serverName = lazyregexp.New(
	`^([a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,150}[a-zA-Z0-9])?)/([a-zA-Z0-9](?:[a-zA-Z0-9._-]{0,98}[a-zA-Z0-9])?)$`)

// readServer reads one server. It reports whether the server is to be shown; withdrawn servers and older
// versions are not.
func readServer(text []byte) (Server, bool) {
	var response responseJSON
	if json.Unmarshal(text, &response) != nil {
		return Server{}, false
	}
	from := &response.Server
	m := serverName.FindStringSubmatch(from.Name)
	if m == nil {
		return Server{}, false
	}
	s := Server{Name: from.Name, Title: visible.Short(from.Title, 80), Description: visible.Short(from.Description, 300),
		Version: visible.Short(from.Version, 40), Publisher: publisher(m[1])}
	if s.Title == "" {
		s.Title = m[2]
	}
	if s.Page = pageOf(from.WebsiteURL); s.Page == "" && from.Repository != nil {
		s.Page = pageOf(from.Repository.URL)
	}
	status := from.Status
	if official := response.Meta.Official; official != nil {
		if official.IsLatest != nil && !*official.IsLatest {
			return Server{}, false
		}
		status = official.Status
		s.Advice = visible.Short(official.StatusMessage, 300)
		for _, at := range []string{official.UpdatedAt, official.PublishedAt} {
			if s.Updated.IsZero() {
				s.Updated, _ = time.Parse(time.RFC3339, at)
			}
		}
	}
	switch status {
	case "", "active":
		s.Advice = ""
	case "deprecated":
		s.Deprecated = true
	default: // deleted, or an unknown status
		return Server{}, false
	}
	s.Ways = ways(from, m[2])
	return s, true
}

// publisher returns the owner of a namespace: an account for io.github.NAME, the domain example.com for
// com.example.
func publisher(namespace string) Publisher {
	if account, ok := strings.CutPrefix(strings.ToLower(namespace), "io.github."); ok && !strings.Contains(account, ".") {
		return Publisher{GitHub: namespace[len(namespace)-len(account):]}
	}
	labels := strings.Split(strings.ToLower(namespace), ".")
	slices.Reverse(labels)
	return Publisher{Domain: strings.Join(labels, ".")}
}

// has reports whether all words are in the server's name, title, description or publisher.
func (s Server) has(words []string) bool {
	text := strings.ToLower(s.Name + " " + s.Title + " " + s.Description)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// pageOf returns an address if the browser may open it, else "".
func pageOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil || len(address) > 500 ||
		strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return address
}
