//go:build linux

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// replica is a process of "serve", with a home folder and mounted files of its own.
type replica struct {
	folder, home, files string
	port                int
	cmd                 *exec.Cmd
	version             int
}

// patience of "serve" with clients that do not read. It is shorter than usual, so that the run is.
const patience = 5 * time.Second

// start starts the process and waits until it is ready.
func (r *replica) start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(r.home, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	r.cmd = exec.Command(filepath.Join(r.folder, "workbench-engine"), "serve", "--link=off",
		fmt.Sprintf("--listen=127.0.0.1:%d", r.port), "--patience="+patience.String(),
		"--config="+filepath.Join(r.files, "workbench-config.json"), "--tokens="+filepath.Join(r.files, "tokens.json"),
		"--pool-host="+filepath.Join(r.home, "host.sock"))
	r.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "LANG=C.UTF-8"}
	r.cmd.Stderr = log
	if err := r.cmd.Start(); err != nil {
		return err
	}
	return wait(ctx, func() bool {
		answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", r.port))
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

// mount puts files in place as Kubernetes does: all at once, by a link to a folder.
func (r *replica) mount(files map[string][]byte) error {
	before := filepath.Join(r.files, fmt.Sprint("..v", r.version))
	r.version++
	now := fmt.Sprint("..v", r.version)
	if err := os.MkdirAll(filepath.Join(r.files, now), 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(r.files, now, name), text, 0o600); err != nil {
			return err
		}
		if r.version == 1 {
			if err := os.Symlink(filepath.Join("..data", name), filepath.Join(r.files, name)); err != nil {
				return err
			}
		}
	}
	link := filepath.Join(r.files, "..data_tmp")
	if err := os.Symlink(now, link); err != nil {
		return err
	}
	if err := os.Rename(link, filepath.Join(r.files, "..data")); err != nil {
		return err
	}
	return os.RemoveAll(before)
}

// memory returns the resident memory of the process, in bytes.
func (r *replica) memory() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kib, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kib << 10
}

// mounted returns the files of the replicas: the configuration, with a second toolbox or not, and the tokens' hashes.
func mounted(program string, tokens []string, more bool) (map[string][]byte, error) {
	servers := object{"bench": object{"command": program, "share": true, "env": object{roleName: "1"}}}
	boxes := object{"dev": object{"mcpServers": servers}}
	if more {
		boxes["more"] = object{"description": "new", "mcpServers": object{}}
	}
	config, err := json.Marshal(object{"toolMode": "proxy", "toolboxes": boxes})
	if err != nil {
		return nil, err
	}
	var known []object
	for i, token := range tokens {
		sum := sha256.Sum256([]byte(token))
		known = append(known, object{"name": fmt.Sprint("app", i), "sha256": hex.EncodeToString(sum[:]),
			"created": time.Now().UTC()})
	}
	list, err := json.Marshal(object{"tokens": known})
	return map[string][]byte{"workbench-config.json": config, "tokens.json": list}, err
}

// startProxy starts HAProxy with the file of packaging/container, in which only addresses are other ones.
func startProxy(ctx context.Context, folder string, port int, replicas []*replica) (*exec.Cmd, error) {
	text, err := os.ReadFile(filepath.Join("packaging", "container", "haproxy.cfg"))
	if err != nil {
		return nil, err
	}
	servers := regexp.MustCompile(`(?m)^\tserver .*\n`)
	if found := len(servers.FindAll(text, -1)); found != 3 {
		return nil, fmt.Errorf("haproxy.cfg has %d servers", found)
	}
	config := servers.ReplaceAllString(string(text), "")
	config = strings.Replace(config, "bind :7400", fmt.Sprintf("bind 127.0.0.1:%d", port), 1)
	for i, r := range replicas {
		config += fmt.Sprintf("\tserver r%d 127.0.0.1:%d\n", i, r.port)
	}
	file := filepath.Join(folder, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command("haproxy", "-q", "-db", "-f", file)
	cmd.Stderr = io.Discard // it says there which server is up
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; install haproxy", err)
	}
	return cmd, wait(ctx, func() bool {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// wait waits until something is so.
func wait(ctx context.Context, so func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// freePorts returns ports that nobody uses.
func freePorts(number int) ([]int, error) {
	var ports []int
	for range number {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
