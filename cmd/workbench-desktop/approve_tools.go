package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// changedTools are the changed tools of a server that wait for a person.
type changedTools struct {
	toolbox string
	server  *config.Server
	record  *pin.Record
	changes []pin.Change
}

// waitingTool is a tool that waits for approval, as JSON for programs.
type waitingTool struct {
	Toolbox string          `json:"toolbox"`
	Server  string          `json:"server"`
	Tool    string          `json:"tool"`
	Off     bool            `json:"keptOff"`          // the person has chosen to keep it off
	Before  json.RawMessage `json:"before,omitempty"` // absent if it was too large to store
	Now     json.RawMessage `json:"now,omitempty"`
	Marks   []string        `json:"marks"` // words that may be meant to steer a model
}

// toolWidth is the length of a line of a definition, in letters.
const toolWidth = 96

// changedTools returns the servers with waiting tools, of the toolbox and server in names, or of all. Tools
// that are kept off are included if names names them.
func (c *shared) changedTools(pins *pin.Store, document *config.Document, names []string) ([]changedTools, error) {
	var found []changedTools
	if pins == nil {
		return nil, nil
	}
	for _, box := range document.Config.Toolboxes {
		for _, server := range box.Servers {
			if len(names) > 0 && box.Name != names[0] || len(names) > 1 && server.Name != names[1] {
				continue
			}
			record, err := pins.Load(pin.KeyOf(server))
			if err != nil {
				return nil, err
			}
			var waiting []pin.Change
			for _, change := range record.Changes() {
				if (server.Allows(change.Tool) || change.Tool == pin.Instructions) && (!change.Off || len(names) == 2) {
					waiting = append(waiting, change)
				}
			}
			if len(waiting) > 0 {
				found = append(found, changedTools{box.Name, server, record, waiting})
			}
		}
	}
	return found, nil
}

// countTools counts the waiting tools. Servers that are the same count once.
func countTools(waiting []changedTools) (count int) {
	seen := map[pin.Hash]bool{}
	for _, w := range waiting {
		if key := pin.KeyOf(w.server); !seen[key] {
			seen[key] = true
			count += len(w.changes)
		}
	}
	return count
}

func (c *shared) showTools(waiting []changedTools) {
	for _, w := range waiting {
		c.print(words.New("command.approve_tools", "Toolbox", w.toolbox, "Server", w.server.Name, "Count", len(w.changes)))
		if w.record.Lost {
			c.print(words.New("command.approve_tools_lost"))
		}
		if w.record.Version != "" && w.record.Version != w.record.Next {
			c.print(words.New("command.approve_version", "Before", w.record.Version, "Now", w.record.Next))
		}
		for _, change := range w.changes {
			fmt.Fprintf(c.out, "\n  %s\n", change.Tool)
			for _, mark := range pin.Marks(pin.Definition{Name: change.Tool, Raw: change.New}, nil) {
				fmt.Fprintf(c.out, "  ! %s\n", c.words.Text(mark.Text()))
			}
			if (change.Old == nil || change.New == nil) && !w.record.Lost {
				c.print(words.New("command.approve_large"))
			}
			if change.New == nil {
				continue
			}
			for line := range strings.Lines(
				unified.Diff("before", "now", before(change), changes.Tool(change.New, toolWidth))) {
				if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "@@") {
					fmt.Fprint(c.out, "    "+line)
				}
			}
		}
		fmt.Fprintln(c.out)
	}
}

// before returns the definition that was last approved; empty if it is not known.
func before(change pin.Change) string {
	if change.Old == nil {
		return ""
	}
	return changes.Tool(change.Old, toolWidth)
}

// toolsForPrograms returns the waiting tools as JSON for programs.
func (c *shared) toolsForPrograms(waiting []changedTools) []waitingTool {
	list := []waitingTool{}
	for _, w := range waiting {
		for _, change := range w.changes {
			marks := []string{}
			for _, mark := range pin.Marks(pin.Definition{Name: change.Tool, Raw: change.New}, nil) {
				marks = append(marks, mark.Text().String())
			}
			list = append(list, waitingTool{w.toolbox, w.server.Name, change.Tool, change.Off, change.Old, change.New, marks})
		}
	}
	return list
}

func approveTools(ctx context.Context, pins *pin.Store, waiting []changedTools) error {
	for _, w := range waiting {
		if err := pins.Decide(ctx, pin.KeyOf(w.server), w.changes, true); err != nil {
			return err
		}
	}
	return nil
}
