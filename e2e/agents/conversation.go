package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/agents/model"
)

// conversation is what the imitated model does in one run: it opens the toolbox, uses one of its tools, and
// closes it. If what is "search", it first asks find_tools and follows the answer. If what is "open", the
// toolbox is always open: the model uses a tool, closes the toolbox, and uses the tool again. It records what
// the agent shows it.
type conversation struct {
	what      string // "use", "search" or "open"
	folder    string // where the requests are stored
	think     time.Duration
	toolbox   string
	query     string // for find_tools
	direct    string // the dynamic name of the tool that it uses
	tool      [3]string
	arguments string // of the tool
	narrow    bool   // the definition of that tool alone is requested too
	beside    *meeting

	stage     stage
	narrowing bool
	finished  chan struct{} // closed after the toolbox was closed; nil if nobody waits for it
	over      chan struct{} // closed after the user's second question has come
	pending   string        // the id of the call that the agent is to answer
	searched  bool          // since the last stage
	calls     int
	requests  int
	seen      sight
}

type stage int

const (
	opening stage = iota
	found
	opened
	used
	closed
	done
)

// sight is what the model was shown.
type sight struct {
	Protocol string
	Tools    []model.Tool // of the request in which the tool was called
	Prompt   string       // the whole first request except the definitions of tools
	AtFirst  []string     // the names of the tools offered before opening
	Found    string       // the answer of find_tools
	Answer   string       // of open_toolbox
	Next     []string     // the tools offered in the request with that answer
	Late     int          // how many requests later the tool was offered
	How      string       // the tool was called: "directly", "use_tool", "search, then directly" and so on
	Result   string       // of the tool
	Narrow   string       // the answer of open_toolbox for the tool alone
	Closed   string       // the answer of close_toolbox
	After    []string     // the tools offered in the request with that answer
	Longer   int          // in how many further requests the closed tool was offered, at most 4
	Gone     string       // the result of a call of a tool that is closed but still offered
	Again    []string     // the tools offered with the user's next question, if there is one
	Finished bool
	Trouble  []string
}

// next is the script of the model.
func (c *conversation) next(r model.Request) model.Reply {
	c.requests++
	name := filepath.Join(c.folder, fmt.Sprintf("%03d-%s.json", c.requests, r.Protocol))
	if err := os.WriteFile(name, r.Raw, 0o644); err != nil {
		c.seen.Trouble = append(c.seen.Trouble, err.Error())
	}
	if !c.ours(r) {
		if r.JSON {
			return model.Reply{Text: "{}"}
		}
		if c.what == "open" && c.stage == opening && len(r.Tools) > 0 {
			return c.giveUp("the agent's first request has no tool of ours")
		}
		return model.Reply{Text: "ok"}
	}
	time.Sleep(c.think)
	result := c.answered(r)
	if c.pending != "" && result == nil {
		c.seen.Trouble = append(c.seen.Trouble, fmt.Sprintf("request %d lacks the result of the call before", c.requests))
		return model.Reply{Text: "The result is missing."}
	}
	return c.step(r, result)
}

// ours reports whether a request belongs to the conversation. Agents also make requests for themselves, for
// example for a title.
func (c *conversation) ours(r model.Request) bool {
	if c.pending != "" && c.answered(r) != nil {
		return true
	}
	return slices.ContainsFunc(r.Tools, func(t model.Tool) bool {
		return isSearch(t) || strings.HasSuffix(t.Name, "open_toolbox")
	})
}

func (c *conversation) answered(r model.Request) *model.Result {
	for _, turn := range r.Turns {
		if turn.Result != nil && turn.Result.ID == c.pending {
			return turn.Result
		}
	}
	return nil
}

func (c *conversation) step(r model.Request, result *model.Result) model.Reply {
	switch c.stage {
	case opening:
		if c.seen.Protocol == "" {
			c.seen.Protocol, c.seen.Prompt, c.seen.AtFirst = r.Protocol, prompt(r), names(r)
		}
		switch c.what {
		case "open":
			return c.reach(r, c.direct, c.arguments, used, func() model.Reply {
				c.searched = false
				return c.reach(r, "open_toolbox", c.open(), opened, nil)
			})
		case "search":
			return c.reach(r, "find_tools", fmt.Sprintf(`{"query":%q}`, c.query), found, nil)
		}
		return c.reach(r, "open_toolbox", c.open(), opened, nil)
	case found:
		if c.seen.Found == "" {
			c.seen.Found = result.Text
		}
		next, ok := nextCall(c.seen.Found, c.tool[2])
		if !ok {
			return c.giveUp("find_tools does not say how to reach " + c.tool[2])
		}
		return c.reach(r, "open_toolbox", next, opened, nil)
	case opened:
		if c.seen.Next == nil {
			c.seen.Answer, c.seen.Next = result.Text, names(r)
		}
		if _, found := offered(r, "use_tool"); found {
			arguments := fmt.Sprintf(`{"tool":{"toolbox":%q,"server":%q,"tool":%q},"arguments":%s}`, c.tool[0], c.tool[1],
				c.tool[2], c.arguments)
			return c.reach(r, "use_tool", arguments, used, nil)
		}
		return c.reach(r, c.direct, c.arguments, used, func() model.Reply {
			if c.seen.Late++; c.seen.Late > 2 {
				c.stage = used
				c.seen.How = "never"
				return c.reach(r, "close_toolbox", c.closing(), closed, nil)
			}
			return c.call(r, "open_toolbox", c.open())
		})
	case used:
		if c.seen.Result == "" {
			c.seen.Result = result.Text
			c.beside.meet()
		} else if c.narrowing {
			c.seen.Narrow, c.narrowing = result.Text, false
		}
		if c.narrow && c.seen.Narrow == "" && !c.narrowing && !c.searched {
			c.narrowing = true
			return c.call(r, "open_toolbox",
				fmt.Sprintf(`{"toolbox_name":%q,"server":%q,"tool":%q}`, c.tool[0], c.tool[1], c.tool[2]))
		}
		return c.reach(r, "close_toolbox", c.closing(), closed, nil)
	case closed:
		if c.seen.After == nil {
			c.seen.Closed, c.seen.After = result.Text, names(r)
		}
		if c.seen.Longer == 1 {
			c.seen.Gone = result.Text
		}
		most := 4
		if c.what == "open" {
			most = 1 // the tool stays, and is called once more
		}
		if _, still := offered(r, c.direct); still && c.seen.Longer < most {
			c.seen.Longer++
			if c.seen.Longer == 1 {
				return c.call(r, c.direct, c.arguments)
			}
			return c.call(r, "close_toolbox", c.closing())
		}
		c.seen.Finished, c.stage = true, done
		if c.finished != nil {
			close(c.finished)
		}
	case done:
		if c.over != nil && c.seen.Finished && c.seen.Again == nil {
			c.seen.Again = names(r)
			close(c.over)
		}
	}
	c.pending = ""
	return model.Reply{Text: "Done."}
}

func (c *conversation) open() string    { return fmt.Sprintf(`{"toolbox_name":%q}`, c.toolbox) }
func (c *conversation) closing() string { return c.open() }

// reach calls a tool and goes on to the next stage. If the tool is not offered, it uses the agent's own
// search for tools once, if there is one; otherwise missing says what to do.
func (c *conversation) reach(r model.Request, suffix, arguments string, next stage,
	missing func() model.Reply) model.Reply {
	if _, found := offered(r, suffix); found {
		if next == used {
			c.seen.Tools = r.Tools
			c.seen.How = "directly"
			if suffix == "use_tool" {
				c.seen.How = suffix
			}
			if c.searched {
				c.seen.How = "search, then " + c.seen.How
			}
		}
		c.stage, c.searched = next, false
		return c.call(r, suffix, arguments)
	}
	for _, t := range r.Tools {
		if !c.searched && isSearch(t) {
			c.searched = true
			return c.search(t, suffix)
		}
	}
	if missing == nil {
		return c.giveUp(suffix + " was never offered")
	}
	return missing()
}

// nextCall returns the arguments of open_toolbox that find_tools recommends for a tool, as the model sees
// them in its answer.
func nextCall(answer, tool string) (string, bool) {
	_, after, ok := strings.Cut(unescaped(answer), fmt.Sprintf(`{"name":%q`, tool))
	if !ok {
		return "", false
	}
	after, _, _ = strings.Cut(after, `{"name":`) // of the next tool
	after, _, _ = strings.Cut(after, `}}`)
	_, call, ok := strings.Cut(after, `"next":{"open_toolbox":`)
	return call + "}", ok
}

func (c *conversation) giveUp(why string) model.Reply {
	c.seen.Trouble = append(c.seen.Trouble, why)
	if c.finished != nil && c.stage != done {
		close(c.finished)
		close(c.over)
	}
	c.stage, c.pending = done, ""
	return model.Reply{Text: "I give up: " + why}
}

func (c *conversation) call(r model.Request, suffix, arguments string) model.Reply {
	t, found := offered(r, suffix)
	if !found {
		return c.giveUp(suffix + " was never offered")
	}
	c.calls++
	c.pending = fmt.Sprintf("call_%d", c.calls)
	return model.Reply{Calls: []model.Call{
		{ID: c.pending, Name: t.Name, Namespace: t.Namespace, Arguments: json.RawMessage(arguments)}}}
}

// search searches for a tool with the agent's own search. Claude Code needs the exact name with its own
// prefix.
func (c *conversation) search(t model.Tool, suffix string) model.Reply {
	query := map[string]any{"query": strings.ReplaceAll(suffix, "__", " ")}
	if t.Name == "ToolSearch" {
		query = map[string]any{"query": "select:mcp__workbench__" + suffix, "max_results": 5}
	}
	arguments, _ := json.Marshal(query) // texts
	c.calls++
	c.pending = fmt.Sprintf("call_%d", c.calls)
	return model.Reply{Calls: []model.Call{{ID: c.pending, Name: t.Name, Arguments: arguments, Search: t.Search}}}
}

func isSearch(t model.Tool) bool {
	return t.Search || t.Name == "ToolSearch"
}

// offered returns a tool that the model can call now.
func offered(r model.Request, suffix string) (model.Tool, bool) {
	for _, t := range all(r) {
		if !t.Deferred && t.Name != "" && isNamed(t.Name, suffix) {
			return t, true
		}
	}
	return model.Tool{}, false
}

// isNamed reports whether a tool has a name. Agents add their own prefix, and Kimi Code writes "_" for "__" in the
// rest.
func isNamed(tool, name string) bool {
	return strings.HasSuffix(tool, name) || strings.HasSuffix(tool, "__"+strings.ReplaceAll(name, "__", "_"))
}

// all returns the tools of a request, including those that a search has found and that are not in the list.
func all(r model.Request) []model.Tool {
	tools := slices.Clone(r.Tools)
	for _, turn := range r.Turns {
		if turn.Result == nil {
			continue
		}
		for _, found := range turn.Result.Tools {
			if i := slices.IndexFunc(tools, func(t model.Tool) bool { return t.Name == found.Name }); i >= 0 {
				tools[i].Deferred = false
			} else {
				found.Deferred = false
				tools = append(tools, found)
			}
		}
	}
	return tools
}

// names returns the names of the offered tools; never nil. If the agent has a search for tools, it includes
// the tools that the agent tells the model it may search for.
func names(r model.Request) []string {
	out := []string{}
	for _, t := range all(r) {
		if !t.Deferred {
			out = append(out, t.Name)
		}
	}
	if slices.ContainsFunc(r.Tools, isSearch) {
		for _, turn := range r.Turns {
			if strings.Contains(turn.Text, "now available via ToolSearch") {
				out = append(out, strings.Fields(turn.Text)...)
			}
		}
	}
	return out
}

func prompt(r model.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, turn := range r.Turns {
		b.WriteString("\n" + turn.Text)
	}
	for _, t := range r.Tools {
		if isSearch(t) {
			b.WriteString("\n" + t.Description) // Codex puts the instructions of servers there
		}
		b.WriteString("\n" + t.About)
	}
	return b.String()
}
