// Package registry searches the official MCP registry, or another one with the same API, and makes entries
// from the results.
//
// It sends requests only when somebody searches. The answers are written by strangers: everything is limited,
// a server that cannot be understood is left out and counted, and what would run is an entry like a pasted
// one, which a person reviews. See docs/adr/085-searching-the-registry.md.
package registry

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/source"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Official is the address of the registry of the MCP project.
const Official = "https://registry.modelcontextprotocol.io"

// Variable is the environment variable with the address of another registry.
const Variable = "WORKBENCH_REGISTRY"

// Limits of one search.
const (
	MaxQuery    = 100     // characters of a search
	pageSize    = 30      // servers in one request
	maxServers  = 100     // servers that are read from an answer
	maxAnswer   = 4 << 20 // bytes of an answer
	maxCursor   = 1 << 10 // bytes of the text that names the next page
	maxRequests = 3       // for one page, as long as nothing on it matches
)

// Options say which registry is searched, and how.
type Options struct {
	Address string            // empty: [Official]
	Base    http.RoundTripper // nil: as [source.Options] says
	Now     func() time.Time  // nil: time.Now
}

// Registry is a registry that can be searched. It is safe for concurrent use.
type Registry struct {
	source *source.Source
	err    error // why the registry cannot be used
	now    func() time.Time

	mu    sync.Mutex
	cache cache
}

// New returns a registry. It sends no request. If the address cannot be used, [Registry.Search] returns the
// error.
func New(options Options) *Registry {
	r := &Registry{now: options.Now}
	if r.now == nil {
		r.now = time.Now
	}
	if options.Address == "" {
		options.Address = Official
	}
	address := strings.TrimRight(strings.TrimSpace(options.Address), "/")
	r.source, r.err = source.New(source.Options{
		Address: address, Variable: Variable, MaxAnswer: maxAnswer, Base: options.Base})
	if r.err == nil && r.source.Address().RawQuery != "" { // a search has its own
		r.err = words.NewError("registry.address", "Address", visible.Line(address), "Variable", Variable)
	}
	return r
}

// Host returns the host of the registry; it is empty if the address cannot be used.
func (r *Registry) Host() string {
	if r.err != nil {
		return ""
	}
	return r.source.Address().Host
}

// IsOfficial reports whether this is the registry of the MCP project, which verifies who owns a namespace.
func (r *Registry) IsOfficial() bool { return r.err == nil && r.source.Address().String() == Official }

// Page is a part of the results of a search.
type Page struct {
	Servers []Server
	Next    string        // the argument of [Registry.Search] for the next page; empty if there is none
	Skipped int           // servers that could not be understood or are withdrawn
	Age     time.Duration // the age of a cached page, if the registry cannot be reached; else zero
}

// Search returns the newest version of each server that matches a query. next is [Page.Next] of an earlier
// page, or "". A registry only finds parts of names. If the query has several words, the longest is sent, and
// the results are filtered by the others.
func (r *Registry) Search(ctx context.Context, query, next string) (Page, error) {
	if r.err != nil {
		return Page{}, r.err
	}
	wanted := strings.Fields(strings.ToLower(visible.Line(query)))
	if len(wanted) == 0 {
		return Page{}, nil
	}
	if len([]rune(query)) > MaxQuery {
		return Page{}, words.NewError("registry.query_long", "Most", MaxQuery)
	}
	sent := wanted[0]
	for _, word := range wanted {
		if len(word) > len(sent) {
			sent = word
		}
	}
	var page Page
	asked := map[string]bool{}
	for range maxRequests {
		asked[next] = true
		answer, age, err := r.page(ctx, sent, next)
		if err != nil {
			return Page{}, err
		}
		page.Skipped += answer.skipped
		page.Age = max(page.Age, age)
		for _, server := range answer.servers {
			if server.has(wanted) {
				page.Servers = append(page.Servers, server)
			}
		}
		next = answer.next
		if asked[next] { // otherwise it would loop for ever
			next = ""
		}
		if page.Next = next; next == "" || len(page.Servers) > 0 {
			break
		}
	}
	return page, nil
}

// page returns one page. It comes from the cache if it is recent enough or if the registry does not answer.
func (r *Registry) page(ctx context.Context, search, cursor string) (answer answer, age time.Duration, err error) {
	query := url.Values{"search": {search}, "limit": {strconv.Itoa(pageSize)}, "version": {"latest"}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	address := r.source.Address().JoinPath("v0.1", "servers")
	address.RawQuery = query.Encode()
	key := address.String()
	r.mu.Lock()
	kept, found := r.cache.get(key)
	r.mu.Unlock()
	if found && r.now().Sub(kept.at) < fresh {
		return kept.answer, 0, nil
	}
	answer, size, err := r.ask(ctx, key)
	switch {
	case err == nil:
		r.mu.Lock()
		r.cache.put(page{key: key, at: r.now(), answer: answer, size: size})
		r.mu.Unlock()
	case found && ctx.Err() == nil && r.now().Sub(kept.at) < stale:
		return kept.answer, r.now().Sub(kept.at), nil
	}
	return answer, 0, err
}

// ask sends one request and reads its answer.
func (r *Registry) ask(ctx context.Context, address string) (answer, int, error) {
	body, err := r.source.Get(ctx, address)
	if err != nil {
		return answer{}, 0, err
	}
	read, ok := readAnswer(body)
	if !ok {
		return answer{}, 0, words.NewError("registry.unreadable", "Host", r.Host())
	}
	return read, len(body), nil
}
