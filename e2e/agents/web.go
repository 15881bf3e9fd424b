package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// serve runs "serve" for the agent and returns its address and a token, until stop is called.
func (r *run) serve(ctx context.Context) (address, token string, stop func(), err error) {
	program := filepath.Join(r.programs, tapName)
	token, err = r.command(ctx, "token", program, "serve", "token", "add", r.client)
	if err != nil {
		return "", "", nil, err
	}
	log, err := os.Create(filepath.Join(r.folder, "serve.txt"))
	if err != nil {
		return "", "", nil, err
	}
	cmd := exec.CommandContext(ctx, program, "serve", "--listen", "127.0.0.1:0", "--link", "off", "--config",
		r.configFile())
	cmd.Env = []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	cmd.Stderr, cmd.Cancel, cmd.WaitDelay = log, func() error { return cmd.Process.Signal(os.Interrupt) }, time.Minute
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // its log says how it ended
		_ = log.Close()
	}
	first, err := bufio.NewReader(out).ReadString('\n')
	at := strings.Index(first, "http")
	if err != nil || at < 0 {
		stop()
		return "", "", nil, fmt.Errorf("serve said %q: %w", first, err)
	}
	return strings.TrimSpace(first[at:]), strings.TrimSpace(token), stop, nil
}

// overHTTP runs the agent with "serve" in place of an entry that starts the engine.
func (r *run) overHTTP(ctx context.Context, c *conversation) error {
	address, token, stop, err := r.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	text := strings.NewReplacer("URL", address, "TOKEN", token).Replace(r.web)
	file := filepath.Join(r.home, filepath.FromSlash(r.file))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return err
	}
	if r.line != "" {
		c.finished, c.over = make(chan struct{}), make(chan struct{})
		r.stdin = r.questions(ctx, c)
	}
	_, err = r.command(ctx, "agent", r.agent.program(r.cache), r.args...)
	r.stdin = nil
	return err
}
