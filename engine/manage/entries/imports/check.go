package imports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// CheckThere returns the plan in which entries whose servers are in a toolbox already have failed if works says so of
// these servers: they certainly stay in the files of their apps.
func (p Plan) CheckThere(works func(toolbox, server string) bool) Plan {
	p.Skipped = slices.Clone(p.Skipped)
	for i := range p.Skipped {
		if s := &p.Skipped[i]; s.Here && !works(s.box, s.there.Name) {
			s.failed = true
		}
	}
	return p
}

// Check returns the plan in which servers that certainly cannot start on this computer have failed, without a try:
// their program or folder is missing, or a variable is not set. missing returns what a configuration lacks here.
func (p Plan) Check(missing func(*config.Document) []config.Diagnostic) Plan {
	p.Servers, p.Skipped = slices.Clone(p.Servers), slices.Clone(p.Skipped)
	var entries []jsonrpc.Member
	failed := map[string]*bool{} // by the name of the entry
	add := func(server *config.Server, mark *bool) {
		name := "s" + strconv.Itoa(len(entries))
		entries = append(entries, jsonrpc.Member{Name: name, Value: foreign.JSON(server)})
		failed[name] = mark
	}
	for i := range p.Servers {
		add(&p.Servers[i].Entry, &p.Servers[i].failed)
	}
	for i := range p.Skipped {
		if p.Skipped[i].Here {
			add(p.Skipped[i].there, &p.Skipped[i].failed)
		}
	}
	text := fmt.Appendf(nil, `{"toolboxes": {"all": {"mcpServers": %s}}}`, jsonrpc.AppendObject(nil, entries))
	for _, d := range missing(config.Parse("", text)) {
		rest, _ := strings.CutPrefix(d.Path, "toolboxes.all.mcpServers.")
		name, _, _ := strings.Cut(rest, ".")
		if mark := failed[name]; mark != nil && d.Code != config.VariableNotInherited && !d.IsNote() {
			*mark = true
		}
	}
	return p
}
