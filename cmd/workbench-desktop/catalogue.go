package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/registry"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
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
	cmd.AddCommand(search)
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

func (s *searching) run(ctx context.Context, query string) error {
	r := registry.New(registry.Options{Address: os.Getenv(registry.Variable)})
	page, err := r.Search(ctx, query, s.next)
	if s.asJSON {
		if err != nil {
			return s.fail(err)
		}
		servers := []foundJSON{}
		for _, server := range page.Servers {
			servers = append(servers, s.forPrograms(server))
		}
		return s.encode(struct {
			Registry string      `json:"registry"`
			Servers  []foundJSON `json:"servers"`
			Next     string      `json:"next,omitempty"`
		}{r.Host(), servers, page.Next})
	}
	for _, e := range catalogue.All() {
		title := s.words.Text(e.Title)
		if strings.Contains(strings.ToLower(title+" "+e.ID), strings.ToLower(query)) {
			s.print(words.New("command.in_catalogue", "Title", title, "Description", e.Description))
		}
	}
	if err != nil {
		return s.fail(err)
	}
	s.print(words.New("command.in_registry", "Host", r.Host(), "Count", len(page.Servers)))
	for _, server := range page.Servers {
		s.print(words.New("command.found_server", "Name", server.Name, "Version", server.Version, "Description", server.Description))
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
	to := foundJSON{Name: from.Name, Title: from.Title, Description: from.Description, Version: from.Version, Publisher: from.Publisher.Text().String(), Page: from.Page, Deprecated: from.Deprecated, Ways: []wayJSON{}}
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
