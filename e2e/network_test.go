package e2e

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

// TestNetworkOfAnOrganisation: a client library keeps back the variables of the user's session, as AI apps do. A
// remote server is reached all the same through the certificate that only a start file of the shell names.
func TestNetworkOfAnOrganisation(t *testing.T) {
	needNPM(t)
	there := newWorkshop(t)
	there.save(ordered{{"far", object{"mcpServers": ordered{
		{"notes", object{"command": program, "args": []string{"server", "notes"}}}}}}})
	cert, key, _ := certificate(t, there.home, "localhost")
	s := there.serve("--cert", cert, "--key", key)
	address := strings.Replace(s.address, "127.0.0.1", "localhost", 1)
	w := newWorkshop(t)
	server := w.save(ordered{{"box", object{"mcpServers": ordered{
		{"far", object{"url": address, "headers": object{"Authorization": "Bearer " + s.token("add", "app")}}}}}}})
	// No more than that, since XDG_CONFIG_HOME belongs to a session.
	server.env = map[string]string{"HOME": w.home, "SHELL": "/bin/sh"}
	refused := libraries()[0].connect(t, server).call("open_toolbox", object{"toolbox_name": "box"})
	if refused["isError"] != true || !strings.Contains(firstText(t, refused), "certificate is from nobody") {
		t.Errorf("without the certificate: %v", refused)
	}
	if err := os.WriteFile(filepath.Join(w.home, ".profile"), []byte("export NODE_EXTRA_CA_CERTS='"+cert+"'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if opened := libraries()[0].connect(t, server).open("box"); opened.ServersConnected != 1 || len(opened.Tools) == 0 {
		t.Errorf("with it: %+v", opened)
	}
}

// counted is a proxy that counts who asks it for something, and lets nobody through.
func counted(t *testing.T) (address string, asked *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked = &atomic.Int32{}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusForbidden)
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), asked
}

// TestNothingIsSent: the commands of the README, an engine with them and the looks at this computer ask the network
// for nothing. What the person asks for does, so the test would see it.
func TestNothingIsSent(t *testing.T) {
	home := built.Folder(t)
	proxy, asked := counted(t)
	run := func(args ...string) error {
		cmd := exec.CommandContext(t.Context(), executable, args...)
		cmd.Env = append(inDocs(home), "HTTP_PROXY="+proxy, "HTTPS_PROXY="+proxy, "NO_PROXY=", "http_proxy=", "https_proxy=",
			"WORKBENCH_RELEASES=", "WORKBENCH_REGISTRY=")
		cmd.Dir = home
		cmd.Stdin = strings.NewReader(greeting + "\n")
		out, err := cmd.CombinedOutput()
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return err
	}
	for _, args := range [][]string{{"config", "add-toolbox", "office"}, {"catalogue", "add", "notes", "--into", "office"},
		{"catalogue", "add", "time", "--into", "office"}, {"tools", "office"}, {"call", "office", "notes", "list_notes", "{}"},
		{"stdio", "--link=off"}, {"validate"}, {"clients"}, {"status"}, {"doctor"}, {"usage"}, {"logs"}, {"catalogue"},
		{"updates", "on"}, {"secret", "list"}, {"version"}} {
		_ = run(args...) // doctor, for one, may find something missing
		if n := asked.Load(); n > 0 {
			t.Fatalf("%q asks the network %d times", args, n)
		}
	}
	for _, args := range [][]string{{"updates"}, {"catalogue", "search", "github"}, {"runtimes", "get", "uv"}} {
		before := asked.Load()
		if err := run(args...); err == nil || asked.Load() == before {
			t.Errorf("%q does not ask the network: %v", args, err)
		}
	}
}
