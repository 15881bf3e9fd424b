package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// atTerminal reports whether the input is a terminal, where a person can answer. A program started by an AI
// app has no terminal.
func (c *shared) atTerminal() bool {
	in, ok := c.in.(*os.File)
	return ok && isTerminal(in)
}

// allows asks the person whether a call may proceed. If a program runs the command, there is no person to
// ask.
func (c *shared) allows(ctx context.Context, q status.Question) (status.Answer, error) {
	switch {
	case !c.atTerminal():
		return "", words.Code("command.nobody_to_allow")
	case c.agrees(ctx, words.New("command.allow_call", "Tool", q.Tool, "Server", q.Server)):
		return status.AllowOnce, nil
	}
	return status.Refuse, nil
}

// agrees asks a question and waits for the answer. Only a yes, in English or in the language of the question,
// counts as yes. If the context ends first, the answer is no.
func (c *shared) agrees(ctx context.Context, question words.Text) bool {
	fmt.Fprintf(c.err, "%s ", c.words.Text(words.New("command.ask", "Question", question)))
	line, ok := c.answer(ctx)
	yes := strings.Fields("y yes " + c.words.Text(words.New("command.answers_yes")))
	return ok && slices.Contains(yes, strings.ToLower(line))
}

// answer reads a line of input, without surrounding blanks. ok is false if the context ends first.
func (c *shared) answer(ctx context.Context) (line string, ok bool) {
	answer := make(chan string, 1)
	// this goroutine may stay until the process ends, since reading from a terminal cannot be cancelled
	background.Go(func() {
		answer <- strings.TrimSpace(readLine(c.in)) // "" if there is no answer
	})
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.err)
		return "", false
	case line := <-answer:
		return line, true
	}
}

// fillIn asks a person at a terminal for a value. If it is secret, the terminal does not show what is typed.
// It returns "" if there is no terminal.
func (c *shared) fillIn(ctx context.Context, label words.Text, secret bool) string {
	if secret {
		show, err := hideInput(c.in.(*os.File))
		if err != nil { // better no answer than one that others can read
			return ""
		}
		defer func() {
			show()
			fmt.Fprintln(c.err)
		}()
	}
	fmt.Fprintf(c.err, "%s: ", c.words.Text(label))
	line, _ := c.answer(ctx)
	return line
}

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 4096

// readLine reads exactly one line, since the next line may be the answer to the next question.
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
