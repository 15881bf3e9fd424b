//go:build linux

// Command replicas measures replicas of "workbench-engine serve" behind HAProxy, with the file of packaging/container:
// the time of a call, calls in a second and memory; then what clients see while the configuration is changed replica
// by replica, while a client does not read, while a replica is told to end, and while one is killed. It needs haproxy.
// It fails if anything is lost but what was under way in that replica, or if a call was made twice.
//
//	go run ./bench/replicas [-clients N] [-replicas N]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	// length is how long each part takes.
	length = 10 * time.Second
	// pause is the time between two calls of a client, where it is not as fast as it can be.
	pause = time.Second
	// together is how many clients have one token, and how many begin at a time. A token has 32 sessions at most.
	together = 25
	mib      = 1 << 20
)

func main() {
	if os.Getenv(roleName) != "" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	clients := flag.Int("clients", 500, "how many clients there are")
	replicas := flag.Int("replicas", 3, "how many replicas there are")
	flag.Parse()
	if err := run(context.Background(), *clients, *replicas); err != nil {
		fmt.Fprintln(os.Stderr, "replicas:", err)
		os.Exit(1)
	}
}

// site is everything that runs.
type site struct {
	program  string // this one
	replicas []*replica
	clients  []*client
	tokens   []string
}

func run(ctx context.Context, clients, replicas int) error {
	folder, err := os.MkdirTemp("", "wb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	build := exec.Command("go", "build", "-tags", "headless", "-trimpath", "-o",
		filepath.Join(folder, "workbench-engine"), "./cmd/workbench-desktop")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	var s site
	if s.program, err = os.Executable(); err != nil {
		return err
	}
	ports, err := freePorts(replicas + 1)
	if err != nil {
		return err
	}
	for i := range (clients + together - 1) / together {
		s.tokens = append(s.tokens, fmt.Sprintf("workbench_bench-%d", i))
	}
	files, err := mounted(s.program, s.tokens, false)
	if err != nil {
		return err
	}
	for i := range replicas {
		r := &replica{folder: folder, home: filepath.Join(folder, fmt.Sprint("home-", i)),
			files: filepath.Join(folder, fmt.Sprint("files-", i)), port: ports[i]}
		s.replicas = append(s.replicas, r)
		if err := errors.Join(os.Mkdir(r.home, 0o700), os.Mkdir(r.files, 0o700), r.mount(files)); err != nil {
			return err
		}
		defer r.stop()
		if err := r.start(ctx); err != nil {
			return err
		}
	}
	proxy, err := startProxy(ctx, folder, ports[replicas], s.replicas)
	if err != nil {
		return err
	}
	defer func() { _, _ = proxy.Process.Kill(), proxy.Wait() }()
	for i := range clients {
		s.clients = append(s.clients, &client{number: i, address: fmt.Sprintf("http://127.0.0.1:%d/mcp", ports[replicas]),
			token: s.tokens[i/together], modern: i%5 == 0,
			http: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}})
	}
	return s.measure(ctx)
}

// stop ends the process. The host of its shared servers ends by itself.
func (r *replica) stop() {
	if r.cmd != nil && r.cmd.Process != nil {
		_ = r.cmd.Process.Signal(os.Interrupt)
		_ = r.cmd.Wait()
	}
}

func (s *site) measure(ctx context.Context) error {
	fmt.Printf("%d clients, %d replicas\n", len(s.clients), len(s.replicas))
	fresh := s.memory()
	begun := time.Now()
	if err := s.begin(ctx); err != nil {
		return err
	}
	fmt.Printf("all have begun after %v\n", time.Since(begun).Round(10*time.Millisecond))
	seen := []tally{s.part(ctx, "a call a second each", pause, nil), s.part(ctx, "as fast as they can", 0, nil)}
	full := s.memory()
	fmt.Printf("memory of all replicas: %d MiB before, %d after, %.2f for each client\n", fresh/mib, full/mib,
		float64(full-fresh)/mib/float64(len(s.clients)))
	var err error
	seen = append(seen, s.part(ctx, "while the configuration is changed", pause, func() { err = s.change(ctx) }))
	if err != nil {
		return fmt.Errorf("the configuration: %w", err)
	}
	seen = append(seen, s.part(ctx, "while a client does not read", pause, func() { err = s.slow(ctx) }))
	if err != nil {
		return fmt.Errorf("the client that does not read: %w", err)
	}
	for _, t := range seen {
		if len(t.lost) > 0 || t.missed > 0 || len(t.wrong) > 0 {
			return fmt.Errorf("%d calls lost, %d sessions gone, wrong: %.200q", len(t.lost), t.missed, t.wrong)
		}
	}
	if len(s.replicas) > 1 {
		if err = s.lose(ctx, 0, "told to end", syscall.SIGTERM); err == nil {
			err = s.lose(ctx, 1, "killed", syscall.SIGKILL)
		}
	}
	return errors.Join(err, s.once())
}

func (s *site) memory() (sum int64) {
	for _, r := range s.replicas {
		sum += r.memory()
	}
	return sum
}

// begin lets all clients begin, some at a time.
func (s *site) begin(ctx context.Context) error {
	places := make(chan struct{}, together)
	failed := make([]error, len(s.clients))
	var group sync.WaitGroup
	for i, c := range s.clients {
		places <- struct{}{}
		group.Go(func() {
			failed[i] = c.begin(ctx)
			<-places
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// part measures one part.
func (s *site) part(ctx context.Context, name string, pause time.Duration, beside func()) tally {
	t := load(ctx, s.clients, length, pause, beside)
	fmt.Printf("%-36s %6.0f calls/s, median %8v, p95 %8v, p99 %8v; lost %d, sessions gone %d, by replica %v\n", name+":",
		float64(len(t.took))/length.Seconds(), t.at(50), t.at(95), t.at(99), len(t.lost), t.missed, t.homes)
	return t
}

// change gives the replicas another configuration, one after the other, and waits until each follows it.
func (s *site) change(ctx context.Context) error {
	files, err := mounted(s.program, s.tokens, true)
	if err != nil {
		return err
	}
	var longest time.Duration
	for _, r := range s.replicas {
		begun := time.Now()
		if err := r.mount(files); err != nil {
			return err
		}
		c := &client{address: fmt.Sprintf("http://127.0.0.1:%d/mcp", r.port), token: s.tokens[0], modern: true,
			http: http.DefaultClient}
		if err := wait(ctx, func() bool {
			_, text, err := c.post(ctx, "tools/call", object{"name": "open_toolbox",
				"arguments": object{"toolbox_name": "more"}}, 1)
			return err == nil && !bytes.Contains(text, []byte(`"isError":true`))
		}); err != nil {
			return err
		}
		longest = max(longest, time.Since(begun))
	}
	fmt.Printf("each replica follows the file within %v\n", longest.Round(time.Millisecond))
	return nil
}

// slow asks for a large answer and reads none of it.
func (s *site) slow(ctx context.Context) error {
	c := *s.clients[0]
	dialer := &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			// An error only means that more of the answer is on the way.
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096)
		})
	}}
	c.http = &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, ReadBufferSize: 4096}}
	r, err := c.request(ctx, "tools/call", use("large", ""), 1)
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	time.Sleep(patience + 2*time.Second)
	text, err := io.ReadAll(answer.Body)
	if err == nil {
		return fmt.Errorf("it still gets all %d bytes: %d %.900s", len(text), answer.StatusCode, text)
	}
	fmt.Printf("it is left after %v, with %d of %d MiB on the way\n", patience, len(text)/mib, large/mib)
	return nil
}

// lose ends a replica under load, and starts it again.
func (s *site) lose(ctx context.Context, which int, how string, signal os.Signal) error {
	lost, home := s.replicas[which], fmt.Sprint(which)
	sessions := 0
	for _, c := range s.clients {
		if !c.modern && c.home == home {
			sessions++
		}
	}
	var at time.Time
	var took time.Duration
	var err error
	t := s.part(ctx, "while a replica is "+how, pause/4, func() {
		time.Sleep(length / 4)
		begun := time.Now()
		_ = lost.cmd.Process.Signal(signal)
		_ = lost.cmd.Wait()
		at = time.Now() // until it has ended, it takes calls
		took = at.Sub(begun)
		time.Sleep(length / 4)
		err = lost.start(ctx)
	})
	if err != nil {
		return fmt.Errorf("starting it again: %w", err)
	}
	fmt.Printf("of %d sessions of the replica, %d are gone; it ended within %v\n", sessions, t.missed,
		took.Round(time.Millisecond))
	for _, begun := range t.lost {
		if begun.After(at) {
			return fmt.Errorf("a call was lost that began %v after the replica was %s", begun.Sub(at), how)
		}
	}
	if t.missed != sessions || len(t.wrong) > 0 {
		return fmt.Errorf("of %d sessions of the replica, %d are gone, wrong: %.200q", sessions, t.missed, t.wrong)
	}
	after := s.part(ctx, "after it was started again", pause, nil)
	if len(after.lost)+after.missed+len(after.wrong) > 0 || after.homes[home] == 0 {
		return fmt.Errorf("%d calls lost, %d sessions gone, wrong: %.200q, by replica %v", len(after.lost), after.missed,
			after.wrong, after.homes)
	}
	return nil
}

// once checks that no call was made twice.
func (s *site) once() error {
	seen := map[string]bool{}
	for _, r := range s.replicas {
		text, err := os.ReadFile(filepath.Join(r.home, logName))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(text) {
			if seen[string(line)] {
				return fmt.Errorf("the call %s was made twice", line)
			}
			seen[string(line)] = true
		}
	}
	fmt.Printf("%d calls reached a server, none twice\n", len(seen))
	return nil
}
