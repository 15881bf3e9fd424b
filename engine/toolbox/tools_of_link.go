package toolbox

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// offered returns the tools that clients may see. The caller holds boxes.mu.
func (l *link) offered(server *config.Server) []downstream.Item {
	if l.pins.withheld == nil {
		return allowed(server, l.tools.known)
	}
	return slices.DeleteFunc(slices.Clone(l.tools.known), func(t downstream.Item) bool {
		_, withheld := l.pins.withheld[t.Name]
		return withheld || !server.Allows(t.Name)
	})
}

// withheldTools returns the tools that are withheld, without those that filters hide. The caller holds boxes.mu.
func (l *link) withheldTools(server *config.Server) []downstream.Item {
	var tools []downstream.Item
	for _, tool := range l.tools.known {
		if _, withheld := l.pins.withheld[tool.Name]; withheld && server.Allows(tool.Name) {
			tools = append(tools, tool)
		}
	}
	return tools
}

// definitions returns what is pinned: the server's instructions, if there are any, and tools. The caller holds
// boxes.mu.
func (l *link) definitions(tools []downstream.Item) []pin.Definition {
	list := definitions(tools)
	if l.pins.instructions != nil {
		list = slices.Insert(list, 0, pin.Definition{Name: pin.Instructions, Raw: l.pins.instructions})
	}
	return list
}

// maxInstructions limits a server's instructions, in bytes.
const maxInstructions = 16 << 10

// instructionsOf returns a server's instructions, cut to maxInstructions.
func instructionsOf(server downstream.Info) string {
	return visible.CutBytes(strings.TrimSpace(server.Instructions), maxInstructions)
}

// noteInfo stores what a server says about itself.
func (l *link) noteInfo(info downstream.Info) {
	l.about.title, l.about.version = info.Title, info.Version
	if l.about.title == "" {
		l.about.title = info.Name
	}
	l.about.title, l.about.version = secret.Mask(l.about.title), secret.Mask(l.about.version)
	l.pins.instructions = nil
	l.pins.met = nil
	if text := instructionsOf(info); text != "" {
		l.pins.instructions = pin.InstructionsOf(text).Raw
	}
}

// noLists is the value of [pin.Record].Lists for a server that has no lists besides tools.
const noLists = "none"

// listsBeside returns the lists besides tools that the server has declared, in the form of [pin.Record].Lists.
func (l *link) listsBeside() string {
	if l.session == nil {
		if l.pins.record != nil {
			return l.pins.record.Lists
		}
		return ""
	}
	var lists []string
	info := l.session.Info()
	for kind := range downstream.Kinds {
		name := kind.List().Capability
		if kind != downstream.Tools && info.Has(name) && !slices.Contains(lists, name) {
			lists = append(lists, name)
		}
	}
	if lists == nil {
		return noLists
	}
	return strings.Join(lists, " ")
}

func countTools(l *link) words.Text {
	if l.tools.allowed != len(l.tools.known) {
		return words.New("toolbox.tools_allowed", "Count", len(l.tools.known), "Allowed", l.tools.allowed)
	}
	return words.New("toolbox.tools", "Count", len(l.tools.known))
}

// kinds returns the kinds of lists that change when links connect or end.
func kinds(links ...*link) (found [downstream.Kinds]bool) {
	for _, l := range links {
		if !l.settled() || l.session == nil {
			continue
		}
		info := l.session.Info()
		for kind := range downstream.Kinds {
			found[kind] = found[kind] || info.Has(kind.List().Capability)
		}
	}
	found[downstream.Tools] = true // clients are notified only if the tools differ
	return found
}

// whyWithheld returns why a tool is withheld, or nil if it is not. The caller holds boxes.mu.
func (l *link) whyWithheld(tool string) error {
	_, withheld := l.pins.withheld[tool]
	switch {
	case !withheld:
		return nil
	case l.pins.unread:
		return errToolUnread
	case l.pins.full && !l.pins.record.Has(tool):
		return errToolsFull
	}
	return errToolChanged
}

// noteForeignTasks logs once that the server names tasks of another server.
func (l *link) noteForeignTasks() {
	l.said.tasks.Do(func() { l.journal.say(words.New("toolbox.stray_tasks")) })
}

// report logs faults of a server's tools that were not logged before.
func report(l *link) {
	for _, d := range l.said.faults.New(l.session.Info().Diagnostics) {
		switch {
		case d.Kind != downstream.Tools:
			continue // the session has logged it
		case d.Kept:
			l.journal.say(d.Text())
			l.log.Info("A tool is faulty", "tool", d.Name, "problem", d.Message)
			continue
		case d.Name == "":
			l.journal.say(d.Text())
			l.log.Warn("A list of the server is wrong", "problem", d.Message)
			continue
		}
		l.journal.say(words.New("toolbox.set_aside", "Item", d.Kind.List().Singular, "Name", d.Name, "Why", d.Message))
		l.log.Warn("A tool was set aside", "tool", d.Name, "problem", d.Message)
	}
}
