package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// agrees asks a question and waits for the answer. Anything but a yes, in English or the language of the question, is a no, also that there is no answer before the context ends.
func (c *shared) agrees(ctx context.Context, question words.Text) bool {
	fmt.Fprintf(c.err, "%s ", c.words.Text(words.New("command.ask", "Question", question)))
	answer := make(chan string, 1)
	go func() { // ends with the process at the latest: reading from a terminal cannot be broken off
		line, _ := bufio.NewReader(c.in).ReadString('\n') // no answer is a no
		answer <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.err)
		return false
	case line := <-answer:
		yes := strings.Fields("y yes " + c.words.Text(words.New("command.answers_yes")))
		return slices.Contains(yes, strings.ToLower(strings.TrimSpace(line)))
	}
}
