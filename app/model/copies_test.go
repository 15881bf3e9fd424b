package model

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// private returns the server in a process of its own that engines with the same key could share.
func private(server status.Server, pid int, key string) status.Server {
	server.Process.Pid, server.Process.Key = pid, key
	return server
}

// TestCopies counts the programs of a server that could be one.
func TestCopies(t *testing.T) {
	one := func(pid int, key string) status.Server { return private(on(status.Connected, 5), pid, key) }
	uses := map[int]process.Use{7: {Processes: 2, Bytes: 70}, 8: {Processes: 2, Bytes: 80}, 9: {Processes: 3, Bytes: 90}}
	three := Copies{Engines: 3, Clients: []string{"Claude Desktop", "Cursor", "Zed"}, Keeps: config.StateBrowser,
		Use: process.Use{Processes: 7, Bytes: 240}}
	for name, tt := range map[string]struct {
		engines []Engine
		entry   string
		uses    map[int]process.Use
		measure []int
		want    Copies
	}{
		"three apps": {engines(one(7, "k"), one(8, "k"), one(9, "k")), `"args": ["@playwright/mcp"]`, uses, []int{7, 8, 9}, three},
		"not measured yet": {engines(one(7, "k"), one(8, "k")), `"cwd": "/"`, map[int]process.Use{7: {Processes: 1, Bytes: 1}},
			[]int{7, 8}, Copies{}},
		"one has another environment": {engines(one(7, "k"), one(9, "k"), one(8, "other")), `"cwd": "/"`, uses, []int{7, 9},
			Copies{Engines: 2, Clients: []string{"Claude Desktop", "Cursor"}, Use: process.Use{Processes: 5, Bytes: 160}}},
		"one app":       {engines(one(7, "k")), `"cwd": "/"`, uses, nil, Copies{}},
		"all different": {engines(one(7, "a"), one(8, "b")), `"cwd": "/"`, uses, nil, Copies{}},
		"one still starts": {engines(one(7, "k"), private(on(status.Starting, 1), 0, "k")), `"cwd": "/"`, uses, nil,
			Copies{}},
		"the file says that they share":  {engines(one(7, "k"), one(8, "k")), `"share": true`, uses, []int{7, 8}, Copies{}},
		"the file says that they do not": {engines(one(7, "k"), one(8, "k")), `"share": false`, uses, []int{7, 8}, Copies{}},
		"an engine of another file is no app": {append(engines(one(7, "k")),
			Engine{Elsewhere: true, Servers: []status.Server{one(8, "k")}}), `"cwd": "/"`, uses, nil, Copies{}},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range tt.engines {
				tt.engines[i].Pid = 1000 + i
			}
			live := &Live{Engines: tt.engines, Uses: tt.uses,
				Config: parse(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x", `+tt.entry+`}}}}}`)}
			if diff := cmp.Diff(tt.want, live.Server("dev", "a").Copies); diff != "" {
				t.Errorf("copies (-want +got):\n%s", diff)
			}
			measure := map[int]int{}
			for i, pid := range tt.measure {
				measure[pid] = 1000 + i
			}
			if got := live.Copied(); !maps.Equal(got, measure) {
				t.Errorf("measured are %v, want %v", got, measure)
			}
		})
	}
}
