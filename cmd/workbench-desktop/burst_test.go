package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const burstSaves = 100

// mostNotices returns the largest number of notifications for many saves within a time. The engine reads the file at
// most once in each quiet time, and each change of the toolboxes gives two notifications. The saves are quick only if
// the machine is.
func mostNotices(within time.Duration) int { return 2 * (2 + int(within/config.DefaultQuiet)) }

// checkBurst is the testscript command "burst CONFIG". It saves CONFIG many times as fast as possible while an engine
// is running. The engine must end with the last version and send few notifications.
func checkBurst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: burst config")
	}
	p := startPlayer(ts, []string{"stdio", "--link=off", "--config", args[0]})
	defer p.kill()
	ts.Check(p.initialize("{}"))

	begun := time.Now()
	for i := range burstSaves {
		next := ts.MkAbs("next.tmp")
		text := fmt.Sprintf(`{"toolboxes": {"dev": {"description": "Version %d", "mcpServers": {}}}}`, i+1)
		ts.Check(os.WriteFile(next, []byte(text), 0o600))
		ts.Check(os.Rename(next, ts.MkAbs(args[0])))
	}

	notices, asked := 0, 0
	want := fmt.Sprintf(`Description: Version %d\n`, burstSaves)
	ts.Check(poll(func() error {
		asked++
		if err := p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, asked)); err != nil {
			return err
		}
		for message := range p.messages {
			if isListChanged(message) {
				notices++
				continue
			}
			if strings.Contains(message, want) {
				return nil
			}
			return fmt.Errorf("the list of tools has no %q: %s", want, message)
		}
		return fmt.Errorf("the engine ended: %s", p.stderr.String())
	}))
	most := mostNotices(time.Since(begun))
	p.closed = true
	ts.Check(p.stdin.Close())
	for message := range p.messages { // the notification of the last change may come after the answer
		if !isListChanged(message) {
			ts.Fatalf("the engine sent an unexpected message: %s", message)
		}
		notices++
	}
	// The engine may send no notification about tools, because a client that asks in time need not be notified.
	if notices > most {
		ts.Fatalf("%d saves gave %d notifications, more than %d", burstSaves, notices, most)
	}
	ts.Logf("%d saves gave %d notifications", burstSaves, notices)
	ts.Check(p.finish(0))
}

// isListChanged reports whether a message is a notification of changed tools, or of changed toolboxes, which
// are resources.
func isListChanged(message string) bool {
	return strings.Contains(message, `"method":"notifications/tools/list_changed"`) ||
		strings.Contains(message, `"method":"notifications/resources/list_changed"`)
}
