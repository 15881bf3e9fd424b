package downstream

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestSecretsDoNotReachLogs starts a server that prints what it was given, everywhere it can.
func TestSecretsDoNotReachLogs(t *testing.T) {
	const token, header, flag, client, known = "planted-in-env", "planted-in-header", "planted-in-args", "planted-in-oauth", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	said := "settings: " + strings.Join([]string{token, header, flag, client, known}, " / ")
	script := fakeserver.Script{
		Stderr: []string{said}, StdoutNoise: []string{said}, LogOnCall: said,
		Exit: "initialize", ExitStatus: 3,
	}
	server := &config.Server{
		Name: "s", Transport: config.TransportStdio, Command: os.Args[0],
		Args: []string{"--api-key", flag, "--password=" + flag},
		Env: []config.Variable{
			{Name: fakeserver.Variable, Value: script.String()},
			{Name: "API_TOKEN", Value: token},
			{Name: "HARMLESS", Value: "settings"},
		},
		Headers: []config.Variable{{Name: "Authorization", Value: "Bearer " + header}},
		OAuth:   &config.OAuth{ClientID: "workbench", ClientSecret: client},
	}
	var logged lockedBuffer
	_, err := Connect(t.Context(), Options{
		Toolbox: "dev", Server: server,
		Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
		OnLog:  func(line LogLine) { _, _ = logged.Write([]byte(line.String() + "\n")) },
	})
	if err == nil {
		t.Fatal("the server connected")
	}
	all := logged.String() + err.Error()
	if !strings.Contains(all, "settings: ") {
		t.Fatalf("what the server said is not there at all: %s", all)
	}
	for _, secret := range []string{token, header, flag, client, known} {
		if strings.Contains(all, secret) {
			t.Errorf("%s stands in clear in:\n%s", secret, all)
		}
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}
