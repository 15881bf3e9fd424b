package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// checkAsks is the testscript command "asks CONFIG N". It checks that the user is asked N questions about what waits
// now, and answers each with yes. All servers that other programs have changed or added are one question, as in the
// window and in "approve --all". The changed tools of one server are one question.
func checkAsks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: asks config n")
	}
	path, document := readIn(ts, args[0])
	asked := 0
	if len(approvalsIn(ts).Waiting(path, document.Config)) > 0 {
		asked++
	}
	ts.Check(eachServer(ts, args[0], func(server *config.Server) error {
		record, err := pinsIn(ts).Load(pin.KeyOf(server))
		if err == nil && record != nil && len(record.Changes()) > 0 {
			asked++
		}
		return err
	}))
	if strconv.Itoa(asked) != args[1] {
		ts.Fatalf("the user is asked %d questions, want %s", asked, args[1])
	}
	ts.Check(approveAll(ts, args[0]))
	ts.Check(decideTools(ts, args[0], true))
}

// editMyself is the testscript command "edit-myself CONFIG". It does what "Don't ask when other programs change
// servers" does.
func editMyself(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: edit-myself config")
	}
	path, document := readIn(ts, args[0])
	ts.Check(approvalsIn(ts).SetFree(context.Background(), path, document.Config, true))
}

// checkKept checks that a record of tools is stored for each server of a configuration that does not wait for
// approval.
func checkKept(ts *testscript.TestScript, name string) error {
	return eachServer(ts, name, func(server *config.Server) error {
		if approvalsIn(ts).Check(ts.MkAbs(name), "", server) != nil {
			return nil
		}
		record, err := pinsIn(ts).Load(pin.KeyOf(server))
		if err == nil && record == nil {
			err = fmt.Errorf("no record is stored for %s", server.Name)
		}
		return err
	})
}

// checkChanged checks that three tools of a server wait for approval.
func checkChanged(ts *testscript.TestScript, name, changed string) error {
	return eachServer(ts, name, func(server *config.Server) error {
		if server.Name != changed {
			return nil
		}
		record, err := pinsIn(ts).Load(pin.KeyOf(server))
		if err == nil && (record == nil || len(record.Changes()) != 3) {
			err = fmt.Errorf("the record is %+v for %s", record, server.Name)
		}
		return err
	})
}
