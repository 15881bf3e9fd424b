package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// The meta-tool find_tools, which the configuration can enable, searches the tools of all toolboxes that the app sees,
// open or not. It starts no servers. Filters, approvals and pins apply.

const findSchema = `{"type":"object","properties":{"query":{"type":"string","minLength":1,"description":"What the tool does, in English, with synonyms; not the user's words"}},"required":["query"],"additionalProperties":false}`

// Limits of find_tools.
const (
	maxFound       = 10     // tools in an answer
	maxFoundText   = 200    // bytes of a description or name; a tool with a longer name is not found
	maxUnsearched  = 20     // servers that an answer lists as not searched
	maxSearchable  = 50_000 // tools that are searched
	findNothing    = "No known tool fits. Ask in other words, or open the toolbox whose description fits best."
	findUnsearched = "What these servers have is not known before they ran once; open_toolbox connects them."
)

func findDescription(cfg *config.Config) string {
	return "Find tools in all toolboxes, open or not. Use it when you don't see which toolbox has the tool you need. " +
		"The best come first, each with its next call.\n\nExample: " + cfg.MetaToolPrefix + findTools +
		` {"query":"send post message channel"}`
}

// findTools answers find_tools.
func (s *Server) findTools(ctx context.Context, c *call) ([]jsonrpc.Member, error) {
	members, err := argumentMembers(c.arguments)
	if err != nil {
		return nil, err
	}
	query, err := nameMember(members, "query")
	if err != nil {
		return nil, err
	}
	if err := onlyMembers(members, "", "query"); err != nil {
		return nil, err
	}
	servers, unknown := s.manager.Lists.KnownTools(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return textResult(s.foundText(s.finder.search(servers, query), unknown)), nil
}

// foundText returns the answer of find_tools as compact JSON.
func (s *Server) foundText(found []foundTool, unknown []toolbox.ServerID) string {
	type openCall struct {
		Toolbox string `json:"toolbox_name"`
		Server  string `json:"server,omitempty"`
		Tool    string `json:"tool,omitempty"`
	}
	type tool struct {
		Name        string              `json:"name"`
		Toolbox     string              `json:"toolbox_name"`
		Server      string              `json:"source_server"`
		Registered  string              `json:"registered_name,omitempty"`
		Description string              `json:"description"`
		Next        map[string]openCall `json:"next,omitempty"`
	}
	type server struct {
		Toolbox string `json:"toolbox_name"`
		Server  string `json:"server"`
	}
	answer := struct {
		Tools      []tool   `json:"tools"`
		Note       string   `json:"_note,omitempty"`
		Unsearched []server `json:"_not_searched,omitempty"`
	}{Tools: []tool{}}
	open := s.manager.Config().MetaToolPrefix + openToolbox
	for _, one := range found {
		next := tool{Name: one.id.Tool, Toolbox: one.id.Toolbox, Server: one.id.Server,
			Registered: s.catalogue.exposed(one.id), Description: one.description}
		if next.Registered == "" {
			next.Next = map[string]openCall{open: {one.id.Toolbox, one.id.Server, one.id.Tool}}
		}
		answer.Tools = append(answer.Tools, next)
	}
	if len(found) == 0 {
		answer.Note = findNothing
	}
	if len(unknown) > 0 {
		for _, one := range unknown[:min(len(unknown), maxUnsearched)] {
			answer.Unsearched = append(answer.Unsearched, server(one))
		}
		if answer.Note != "" {
			answer.Note += " "
		}
		answer.Note += findUnsearched
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		return err.Error() // cannot happen
	}
	return string(raw)
}
