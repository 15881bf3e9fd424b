package main

import (
	"context"
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// atOnce is how many servers are tried at the same time, since the first start of many of them downloads
// something.
const atOnce = 4

// tries reports whether servers are tried after they were imported: as the flag says, else if there is a
// person at a terminal. A script does not have to wait.
func (i *importer) tries(given bool) bool {
	if given {
		return i.try
	}
	return i.atTerminal() && !i.asJSON
}

// tryAll starts each imported server once and prints the result: whether it starts and lists its tools. A
// server that does not work is no failure of the import. The keys of those that do not are returned.
func (i *importer) tryAll(ctx context.Context, plan imports.Plan) (failed map[string]bool) {
	failed = map[string]bool{}
	_, manager, err := i.manager()
	if err != nil {
		i.complain(err)
		for n := range plan.Servers {
			failed[plan.Servers[n].Key()] = true
		}
		return failed
	}
	defer manager.Shutdown(context.WithoutCancel(ctx))
	var wg background.Group
	var mu sync.Mutex // guards failed, and what is printed and counted
	turn := make(chan struct{}, atOnce)
	works, all := 0, 0
	for n := range plan.Servers {
		f := &plan.Servers[n]
		if f.Entry.Disabled || len(f.ToFill) > 0 {
			continue
		}
		if all++; all == 1 {
			i.note(words.New("command.trying"))
		}
		wg.Go(func() {
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
				return
			}
			err := manager.Restart(ctx, plan.Toolbox, f.As)
			now := triedStatus(manager.Status(), plan.Toolbox, f.As)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, context.Canceled):
			case err == nil:
				works++
				i.note(words.New("command.try_works", "Server", f.As, "Count", max(now.AllTools, now.Tools)))
			default:
				failed[f.Key()] = true
				i.printFailure(err)
				if id := runtimes.For(f.Entry.Command); id != "" && now.Problem != nil && now.Problem.Kind == status.KindProgram {
					i.note(words.New("command.try_get", "ID", id))
				}
			}
		})
	}
	wg.Wait()
	if all > 0 && ctx.Err() == nil {
		i.note(words.New("command.try_summary", "Works", works, "All", all))
	}
	return failed
}

// triedStatus returns the status of a server.
func triedStatus(now status.Snapshot, toolbox, server string) status.Server {
	for _, s := range now.Servers {
		if s.Toolbox == toolbox && s.Name == server {
			return s
		}
	}
	return status.Server{}
}
