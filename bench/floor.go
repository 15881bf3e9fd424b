package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// pass starts a server and copies bytes in both directions. No proxy in a separate process can do less.
func pass(in io.Reader, out io.Writer, command []string) error {
	if len(command) == 0 {
		return errors.New("the floor needs the command of a server")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	go func() { // ends with our stdin or with the process
		io.Copy(stdin, in)
		stdin.Close()
	}()
	if _, err := io.Copy(out, stdout); err != nil {
		return fmt.Errorf("passing answers on: %w", err)
	}
	return cmd.Wait()
}
