package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/agents/model"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// result is the result of one run.
type result struct {
	What                       string // the model did, as in [conversation]
	Agent, Name, Version, Date string
	Client, ClientVersion      string // as it greets the engine
	Protocol                   string // version asked for
	Capabilities               json.RawMessage
	Mode                       string // "dynamic" or "proxy", as the engine answered
	How                        string // the tool was used
	Works                      bool   // the tool's result came
	// requests after the answer before the tool was offered; 0 means in the very next one
	Late    int
	Tools   int  // of the toolbox
	AtFirst int  // of these in the agent's first request
	Found   int  // tools that find_tools named
	Again   bool // closed, a toolbox that is always open gave the tool's result once more
	Offered int  // of these in the request after opening
	Named   int  // of these in the answer as the model sees it
	Left    int  // of these in the request after closing
	// in how many further requests they were offered; 4 means that the count stopped there
	Longer int
	// the agent itself refused such a call: it keeps the definitions, but knows that the tools are gone
	Refused                 bool
	Gone                    string // the answer when the model called such a tool
	LeftAgain               int    // how many are offered with the user's next question, if there is one
	Alone                   bool   // the definition of one tool came when it was asked for, where it was
	AnswerBytes, SeenBytes  int    // of the answer to open_toolbox, as the engine sent it and as the model saw it
	Cut                     string // what is left of it
	ResultBytes, ResultSeen int    // the same of the tool's result
	ResultCut               string
	Instructions            string // what of the engine's instructions the model saw
	ListAfterMs             []int  // after list_changed: when tools/list was asked, in ms
	// from the answer to that tools/list to the answer to open_toolbox; negative if the answer came first
	HeldMs   int
	Restored string // the state of the agent's file after disconnecting
	Took     float64
	Starts   int // how often servers were started for this agent and the one beside it
	Trouble  []string

	offered []model.Tool // with the answer of open_toolbox, or at first in a toolbox that is always open
}

// passes reports whether the run is as required.
func (r *result) passes() bool {
	if len(r.Trouble) > 0 || !r.Works || r.Late > 0 {
		return false
	}
	if r.What == "open" {
		// a search shows only a few at a time
		return (r.AtFirst == r.Tools || r.How == "search, then directly") && r.Left > 0 && r.Again
	}
	named := r.Tools
	if r.What == "search" {
		named = 1 // find_tools recommends a call that opens only one
	}
	return r.Alone && (r.Left == 0 || r.Refused) && r.Named == named && (r.Mode == "proxy" || r.Offered == r.Tools)
}

func (r *result) judge(c *conversation, tools []tool, taps []passed) {
	s := c.seen
	r.offered = s.Tools
	r.What, r.How, r.Late, r.Longer, r.Gone = c.what, s.How, s.Late, s.Longer, s.Gone
	r.Trouble = append(r.Trouble, s.Trouble...)
	if !s.Finished {
		r.Trouble = append(r.Trouble, "the conversation stopped early")
	}
	t := readTraffic(taps, c.direct)
	r.Client, r.ClientVersion, r.Protocol, r.Capabilities = t.client, t.version, t.protocol, t.capabilities
	r.ListAfterMs, r.HeldMs = t.listAfter, t.held
	want := t.result
	if len(taps) == 0 { // over HTTP nothing is recorded
		want = `"entities":`
	}
	r.Works = s.Result != "" && want != "" && strings.Contains(unescaped(s.Result), unescaped(want))
	r.Mode = "dynamic"
	if t.proxy {
		r.Mode = "proxy"
	}
	r.Tools, r.AnswerBytes, r.SeenBytes = len(tools), len(t.answer), len(s.Answer)
	answer := unescaped(s.Answer)
	for _, tool := range tools {
		if strings.Contains(answer, `"`+tool.Name+`"`) {
			r.Named++
		}
		count := func(names []string, n *int) {
			if slices.ContainsFunc(names, func(name string) bool { return isNamed(name, tool.registered()) }) {
				*n++
			}
		}
		count(s.AtFirst, &r.AtFirst)
		count(s.Next, &r.Offered)
		count(s.After, &r.Left)
		count(s.Again, &r.LeftAgain)
	}
	r.Found = strings.Count(unescaped(s.Found), `"source_server":`)
	r.Refused = s.Longer > 0 && t.direct < 2
	r.Again = t.direct == 2 && r.Works && strings.Contains(unescaped(s.Gone), unescaped(t.result))
	r.Alone = !c.narrow || strings.Contains(unescaped(s.Narrow), `"inputSchema":{`)
	r.ResultBytes, r.ResultSeen, r.ResultCut = len(t.result), len(s.Result), cut(t.result, s.Result)
	r.Cut = cut(t.answer, s.Answer)
	r.Instructions = portion(t.instructions, s.Prompt)
}

// unescaped removes the escapes of agents that put JSON into JSON.
func unescaped(text string) string {
	return space.ReplaceAllString(strings.NewReplacer(`\n`, "", `\"`, `"`).Replace(text), "")
}

var space = lazyregexp.New(`\s+`)

// cut describes what is left of a text. For agents that put the whole result into a string as JSON, that form
// is measured.
func cut(full, seen string) string {
	if full == "" {
		return "?"
	}
	quoted, _ := json.Marshal(full) // a text
	inString := string(quoted[1 : len(quoted)-1])
	if strings.Contains(unescaped(seen), unescaped(full)) || strings.Contains(seen, inString) {
		return "all"
	}
	for _, form := range []struct{ text, name string }{{full, ""}, {inString, " as JSON in a string"}} {
		if start, end := ends(form.text, seen); start+end > 0 {
			return fmt.Sprintf("first %d and last %d of %d bytes%s", start, end, len(form.text), form.name)
		}
	}
	return "nothing: " + seen[:min(200, len(seen))]
}

// ends returns how many bytes of the beginning and of the end of a text are visible, each 0 if fewer than 30.
func ends(full, seen string) (start, end int) {
	const least = 30
	if len(full) < least {
		return 0, 0
	}
	if at := strings.Index(seen, full[:least]); at >= 0 {
		seen = seen[at:]
		for start < min(len(full), len(seen)) && full[start] == seen[start] {
			start++
		}
		seen = seen[start:]
	}
	if at := strings.LastIndex(seen, full[len(full)-least:]); at >= 0 {
		seen = seen[:at+least]
		for end < min(len(full), len(seen)) && full[len(full)-1-end] == seen[len(seen)-1-end] {
			end++
		}
	}
	return start, end
}

// portion describes how much of the instructions is in a prompt. Agents indent them in their own way.
func portion(instructions, prompt string) string {
	if instructions == "" {
		return "?"
	}
	line, _, _ := strings.Cut(instructions, "\n")
	all, line, prompt := unescaped(instructions), unescaped(line), unescaped(prompt)
	low, high := 0, len(all)
	for low < high {
		if mid := (low + high + 1) / 2; strings.Contains(prompt, all[:mid]) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	switch {
	case low == len(all):
		return "all"
	case low == len(line):
		return "first line"
	case low < min(len(line), 20):
		return "none"
	}
	return fmt.Sprintf("about the first %d of %d bytes", len(instructions)*low/len(all), len(instructions))
}

// tool is a tool of the toolbox.
type tool struct {
	Name   string `json:"name"`
	Server string `json:"source_server"`
}

// registered is its name in dynamic mode.
func (t tool) registered() string { return "dev__" + t.Server + "__" + t.Name }

// traffic is what was sent between agent and engine.
type traffic struct {
	client, version, protocol string
	capabilities              json.RawMessage
	instructions              string
	direct                    int    // how often the tool was called by its dynamic name
	proxy                     bool   // use_tool is offered
	answer, result            string // texts of the answers to open_toolbox and to the tool
	listAfter                 []int
	held                      int
}

type clientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func readTraffic(all []passed, direct string) traffic {
	var t traffic
	asked := map[string]string{} // the method of each request of the agent, by id
	var notice, listed, opened time.Time
	for _, p := range all {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name            string          `json:"name"`
				ProtocolVersion string          `json:"protocolVersion"`
				Capabilities    json.RawMessage `json:"capabilities"`
				ClientInfo      clientInfo      `json:"clientInfo"`
				Meta            struct {        // for versions without initialize
					ProtocolVersion string          `json:"io.modelcontextprotocol/protocolVersion"`
					Capabilities    json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
					ClientInfo      clientInfo      `json:"io.modelcontextprotocol/clientInfo"`
				} `json:"_meta"`
			} `json:"params"`
			Result struct {
				Tools        []tool `json:"tools"`
				Instructions string `json:"instructions"`
				Content      []struct {
					Text string `json:"text"`
				} `json:"content"`
			} `json:"result"`
		}
		if json.Unmarshal(p.Message, &m) != nil {
			continue
		}
		id := p.From + string(m.ID)
		if p.From == "engine" {
			id = "agent" + string(m.ID)
		}
		switch {
		case p.From == "agent" && m.Method == "initialize":
			t.client, t.version, t.protocol, t.capabilities = m.Params.ClientInfo.Name, m.Params.ClientInfo.Version,
				m.Params.ProtocolVersion, m.Params.Capabilities
			asked[id] = m.Method
		case p.From == "agent" && m.Method == "server/discover":
			about := m.Params.Meta
			t.client, t.version, t.protocol, t.capabilities = about.ClientInfo.Name, about.ClientInfo.Version,
				about.ProtocolVersion, about.Capabilities
			asked[id] = m.Method
		case p.From == "agent" && m.Method != "":
			asked[id] = m.Method
			if m.Params.Name != "" {
				asked[id] = m.Params.Name
			}
			if m.Params.Name == direct {
				t.direct++
			}
			if m.Method == "tools/list" && !notice.IsZero() {
				t.listAfter = append(t.listAfter, int(p.At.Sub(notice).Milliseconds()))
				notice = time.Time{}
			}
		case m.Method == "notifications/tools/list_changed":
			notice = p.At
		case m.Method == "" && (asked[id] == "initialize" || asked[id] == "server/discover"):
			t.instructions = m.Result.Instructions
		case m.Method == "" && asked[id] == "tools/list":
			t.proxy = t.proxy || slices.ContainsFunc(m.Result.Tools, func(tool tool) bool {
				return strings.HasSuffix(tool.Name, "use_tool")
			})
			if len(t.listAfter) == 1 && listed.IsZero() {
				listed = p.At
			}
		case m.Method == "" && len(m.Result.Content) > 0:
			text := m.Result.Content[0].Text
			switch asked[id] {
			case "open_toolbox":
				if t.answer == "" {
					t.answer, opened = text, p.At
				}
			case "close_toolbox", "find_tools":
			default:
				if t.result == "" {
					t.result = text
				}
			}
		}
	}
	if !listed.IsZero() && !opened.IsZero() {
		t.held = int(opened.Sub(listed).Milliseconds())
	}
	return t
}
