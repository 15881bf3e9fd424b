package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/registry"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// searching are the flags of "catalogue search".
type searching struct {
	*shared
	asJSON bool
	next   string
}

func newCatalogue(c *shared) *cobra.Command {
	cmd := command("catalogue", exactly(0), func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	s := &searching{shared: c}
	search := command("catalogue search", atLeast(1), func(cmd *cobra.Command, args []string) error {
		return s.run(cmd.Context(), strings.Join(args, " "))
	})
	search.Flags().BoolVar(&s.asJSON, "json", false, "help.catalogue.search.flag_json")
	search.Flags().StringVar(&s.next, "next", "", "help.catalogue.search.flag_next")
	cmd.AddCommand(search, newCatalogueAdd(c))
	return cmd
}

// foundJSON is a server of the registry as JSON for programs.
type foundJSON struct {
	Name        string    `json:"name"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Version     string    `json:"version"`
	Publisher   string    `json:"publisher"`
	Page        string    `json:"page,omitempty"`
	Deprecated  bool      `json:"deprecated,omitempty"`
	Ways        []wayJSON `json:"ways"`
}

type wayJSON struct {
	Kind    registry.Kind `json:"kind"`
	Runs    string        `json:"runs,omitempty"`    // the command line or the address, with <NAME> for values to fill in
	Asks    []string      `json:"asks,omitempty"`    // the values to fill in
	Problem string        `json:"problem,omitempty"` // why it cannot be added
}

// ownJSON is a server of the program's own list as JSON for programs.
type ownJSON struct {
	ID          string `json:"id"` // what "catalogue add" takes
	Title       string `json:"title"`
	Description string `json:"description"`
	Publisher   string `json:"publisher"`
	Page        string `json:"page"`
	Needs       string `json:"needs,omitempty"` // what must be installed
	// the command line or the address, with <NAME> for values to fill in
	Runs string     `json:"runs"`
	Asks []ownInput `json:"asks,omitempty"` // the values to fill in
	// as it stands in the configuration, with {{NAME}} for values to fill in
	Entry json.RawMessage `json:"entry"`
}

type ownInput struct {
	ID       string         `json:"id"` // the NAME
	Label    string         `json:"label"`
	Hint     string         `json:"hint,omitempty"`
	Kind     catalogue.Kind `json:"kind"`
	Required bool           `json:"required,omitempty"`
}

// ownForPrograms returns a server of the own list as JSON for programs, in English.
func ownForPrograms(e catalogue.Entry) ownJSON {
	is := ownJSON{ID: e.ID, Title: e.Title.String(), Description: e.Description.String(), Publisher: e.Publisher,
		Page: e.Page, Needs: e.Needs.Name(), Runs: e.Line(), Entry: e.Template}
	for _, in := range e.Inputs {
		is.Asks = append(is.Asks, ownInput{in.ID, in.Label.String(), in.Hint.String(), in.Kind, in.Required})
	}
	return is
}

func (s *searching) run(ctx context.Context, query string) error {
	r := registry.New(registry.Options{Address: os.Getenv(registry.Variable)})
	page, err := r.Search(ctx, query, s.next)
	var own []catalogue.Entry
	if s.next == "" { // the pages behind the first one are those of the registry
		own = catalogue.Search(query, s.words.Text)
	}
	if s.asJSON {
		ours, servers := []ownJSON{}, []foundJSON{}
		for _, e := range own {
			ours = append(ours, ownForPrograms(e))
		}
		for _, server := range page.Servers {
			servers = append(servers, s.forPrograms(server))
		}
		problem := ""
		if err != nil {
			problem = words.Of(err).String()
		}
		if written := s.encode(struct {
			Catalogue []ownJSON   `json:"catalogue"`
			Registry  string      `json:"registry"`
			Problem   string      `json:"problem,omitempty"` // why the registry was not searched
			Servers   []foundJSON `json:"servers"`
			Next      string      `json:"next,omitempty"`
		}{ours, r.Host(), problem, servers, page.Next}); written != nil || err == nil {
			return written
		}
		return s.fail(err)
	}
	for _, e := range own {
		s.print(words.New("command.in_catalogue", "Title", e.Title, "Description", e.Description))
		s.print(words.New("command.found_publisher", "Publisher", e.Publisher))
		s.print(words.New("command.found_way", "Line", e.Line()))
		s.print(words.New("command.found_add", "ID", e.ID))
	}
	if err != nil {
		return s.fail(err)
	}
	s.print(words.New("command.in_registry", "Host", r.Host(), "Count", len(page.Servers)))
	for _, server := range page.Servers {
		s.print(words.New("command.found_server", "Name", server.Name, "Version", server.Version, "Description",
			server.Description))
		s.print(words.New("command.found_publisher", "Publisher", server.Publisher.Text()))
		if server.Deprecated {
			s.print(words.New("command.found_deprecated", "Advice", server.Advice))
		}
		for _, way := range server.Ways {
			if !way.Usable() {
				s.print(words.New("command.found_problem", "Why", way.Problem))
				continue
			}
			s.print(words.New("command.found_way", "Line", review.Of(&way.Entry.Server).Line()))
		}
	}
	if page.Next != "" {
		s.print(words.New("command.found_more", "Next", page.Next))
	}
	return nil
}

// forPrograms returns a server as JSON for programs.
func (s *searching) forPrograms(from registry.Server) foundJSON {
	to := foundJSON{Name: from.Name, Title: from.Title, Description: from.Description, Version: from.Version,
		Publisher: from.Publisher.Text().String(), Page: from.Page, Deprecated: from.Deprecated, Ways: []wayJSON{}}
	for _, way := range from.Ways {
		w := wayJSON{Kind: way.Kind}
		if way.Usable() {
			w.Runs = review.Of(&way.Entry.Server).Line()
		} else {
			w.Problem = way.Problem.String()
		}
		for _, blank := range way.Entry.Blanks {
			w.Asks = append(w.Asks, blank.Label.String())
		}
		to.Ways = append(to.Ways, w)
	}
	return to
}
