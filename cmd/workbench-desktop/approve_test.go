package main

import (
	"context"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// firstStart is the testscript command "first-start CONFIG". It does with the file what the first start of the window
// does.
func firstStart(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: first-start config")
	}
	path, document := readIn(ts, args[0])
	ts.Check(approvalsIn(ts).Begin(context.Background(), path, document.Config))
}

// approveAll approves everything that waits in a file, as the window does.
func approveAll(ts *testscript.TestScript, name string) error {
	path, document := readIn(ts, name)
	approvals := approvalsIn(ts)
	return approvals.Approve(context.Background(), path, document.Config, approvals.Waiting(path, document.Config)...)
}

func readIn(ts *testscript.TestScript, name string) (string, *config.Document) {
	path := ts.MkAbs(name)
	return path, config.Parse(path, []byte(ts.ReadFile(name)))
}

func approvalsIn(ts *testscript.TestScript) *approval.Approvals {
	return approval.New(approval.Options{
		Path: filepath.Join(ts.Getenv("HOME"), ".local", "state", "workbench", "approvals.json")})
}
