package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestAgrees(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, " Yes \r\n": true, "y": true, "n\n": false, "\n": false,
		"": false, "yep\n": false} {
		var said bytes.Buffer
		c := &shared{streams: streams{in: strings.NewReader(answer), out: io.Discard, err: &said, words: words.English()}}
		if got := c.agrees(t.Context(), words.Foreign("Import them?")); got != want ||
			said.String() != "Import them? [y/N] " {
			t.Errorf("%q: %v, %q", answer, got, said.String())
		}
	}
}

// TestAgreesUntilTheContextEnds checks that Ctrl+C answers a question with no.
func TestAgreesUntilTheContextEnds(t *testing.T) {
	never, end := io.Pipe()
	defer end.Close()
	c := &shared{streams: streams{in: never, out: io.Discard, err: io.Discard, words: words.English()}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	answered := make(chan bool, 1)
	go func() { answered <- c.agrees(ctx, words.Foreign("Import them?")) }()
	select {
	case yes := <-answered:
		if yes {
			t.Error("the end of the context counts as yes")
		}
	case <-time.After(patience):
		t.Error("agrees still waits")
	}
}
