package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// peer is mcp-proxy from npm, a proxy of others for the same server. It has no toolboxes and is reached over HTTP.
type peer struct {
	cmd     *exec.Cmd
	address string
	session string
	http    *http.Client
}

// peerProgram returns the command that starts the peer; nil if it is not installed.
func peerProgram(root string) []string {
	program := filepath.Join(root, "e2e", "npm", "node_modules", "mcp-proxy", "dist", "bin", "mcp-proxy.mjs")
	if _, err := os.Stat(program); err != nil {
		return nil
	}
	return []string{"node", program, "--server", "stream", "--host", "127.0.0.1", "--no-eventStore"}
}

// startPeer starts the peer in front of a server and waits for its answer to initialize.
func startPeer(command, server []string) (*peer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	listener.Close()
	args := append(append(append([]string{}, command[1:]...), "--port", port, "--"), server...)
	p := &peer{cmd: exec.Command(command[0], args...), address: "http://127.0.0.1:" + port + "/mcp",
		http: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", command[0], err)
	}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if err = p.call(1, initializeBody); err == nil || time.Since(began) > patience {
			break
		}
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("mcp-proxy: %w", err)
	}
	return p, nil
}

func (p *peer) close() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// call sends a request and reads its answer.
func (p *peer) call(id int, body string) error {
	request, err := http.NewRequest(http.MethodPost, p.address,
		bytes.NewReader(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d%s`, id, body)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		request.Header.Set("Mcp-Session-Id", p.session)
	}
	response, err := p.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"result"`)) {
		return fmt.Errorf("%s: %s", response.Status, answer[:min(len(answer), 500)])
	}
	if p.session == "" {
		p.session = response.Header.Get("Mcp-Session-Id")
	}
	return nil
}

// peer measures the peer and adds what it needs to the rows of the same measurements.
func (s *suite) peer(rows []row) error {
	if s.targets.peer == nil {
		fmt.Fprintln(os.Stderr, "mcp-proxy is not installed (e2e/npm/install); left out")
		return nil
	}
	var start, small, flood, medium sample
	for range s.rounds {
		began := time.Now()
		p, err := startPeer(s.targets.peer, s.targets.direct.command)
		if err != nil {
			return err
		}
		start.add(time.Since(began))
		p.close()
	}
	p, err := startPeer(s.targets.peer, s.targets.direct.command)
	if err != nil {
		return err
	}
	defer p.close()
	fresh, _, _ := memory(p.cmd.Process.Pid)
	call := func(tool string) string { return s.targets.direct.body(tool) }
	for round := range s.rounds + 1 {
		for _, kind := range []struct {
			tool  string
			calls int
			into  *sample
		}{{"small", 75, &small}, {"64k", 10, &medium}} {
			for i := range kind.calls {
				began := time.Now()
				if err := p.call(2+i, call(kind.tool)); err != nil {
					return err
				}
				if round > 0 { // the first round only warms up
					kind.into.add(time.Since(began))
				}
			}
		}
		const calls = 500
		began := time.Now()
		if err := p.flood(call("small"), calls); err != nil {
			return err
		}
		if round > 0 {
			flood.add(time.Since(began) / calls)
		}
	}
	for i := range rows {
		switch rows[i].What {
		case whatStart:
			rows[i].Peer = start.milliseconds()
		case whatSmall:
			rows[i].Peer = small.microseconds()
		case whatFlood:
			rows[i].Peer = flood.perSecond()
		case whatMedium:
			rows[i].Peer = medium.microseconds()
		case whatFresh:
			rows[i].Peer = mebibytes(fresh)
		}
	}
	return nil
}

// flood makes calls, many of them at the same time.
func (p *peer) flood(body string, calls int) error {
	var all sync.WaitGroup
	failed := make([]error, inFlight)
	for i := range inFlight {
		all.Go(func() {
			for n := i; n < calls && failed[i] == nil; n += inFlight {
				failed[i] = p.call(2+n, body)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}
