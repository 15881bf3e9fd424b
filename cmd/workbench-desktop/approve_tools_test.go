package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

func pinsIn(ts *testscript.TestScript) *pin.Store {
	return pin.Open(filepath.Join(ts.Getenv("HOME"), ".local", "state", "workbench", "pins"))
}

// eachServer calls f for each server of a configuration.
func eachServer(ts *testscript.TestScript, name string, f func(server *config.Server) error) error {
	_, document := readIn(ts, name)
	for _, box := range document.Config.Toolboxes {
		for _, server := range box.Servers {
			if err := f(server); err != nil {
				return err
			}
		}
	}
	return nil
}

// decideTools approves or refuses the waiting tools of a configuration's servers, as the window does.
func decideTools(ts *testscript.TestScript, name string, approved bool) error {
	pins := pinsIn(ts)
	return eachServer(ts, name, func(server *config.Server) error {
		record, err := pins.Load(pin.KeyOf(server))
		if err != nil {
			return err
		}
		return pins.Decide(context.Background(), pin.KeyOf(server), record.Changes(), approved)
	})
}

// checkPins checks how many tools of a configuration's servers are stored, and how many of them wait:
// "config.json 2 1".
func checkPins(ts *testscript.TestScript, line string) error {
	var name string
	var tools, waiting int
	if _, err := fmt.Sscan(line, &name, &tools, &waiting); err != nil {
		return err
	}
	return eachServer(ts, name, func(server *config.Server) error {
		record, err := pinsIn(ts).Load(pin.KeyOf(server))
		if err != nil {
			return err
		}
		if record == nil || len(record.Tools) != tools || len(record.Changes()) != waiting {
			return fmt.Errorf("the record is %+v", record)
		}
		return nil
	})
}
