package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// agrees asks a question and waits for the answer. Anything but a yes, in English or the language of the question, is a no, also that there is no answer before the context ends.
func (c *shared) agrees(ctx context.Context, question words.Text) bool {
	fmt.Fprintf(c.err, "%s ", c.words.Text(words.New("command.ask", "Question", question)))
	answer := make(chan string, 1)
	go func() { // ends with the process at the latest: reading from a terminal cannot be broken off
		answer <- readLine(c.in) // no answer is a no
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

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 1000

// readLine reads a line and nothing behind it, which may be the answer to the next question.
func readLine(in io.Reader) string {
	var line []byte
	one := make([]byte, 1)
	for len(line) < maxAnswer {
		n, err := in.Read(one)
		if n == 1 && one[0] == '\n' || err != nil {
			break
		}
		line = append(line, one[:n]...)
	}
	return string(line)
}
