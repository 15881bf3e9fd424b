package downstream

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestSecretsDoNotReachLogs starts a server that prints its secrets wherever it can.
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
		t.Fatalf("the output of the server is missing: %s", all)
	}
	for _, secret := range []string{token, header, flag, client, known} {
		if strings.Contains(all, secret) {
			t.Errorf("%s stands in clear in:\n%s", secret, all)
		}
	}
}

// TestSecretsInWhatAServerIs: a server may repeat its secrets in its version and in the names of tools.
func TestSecretsInWhatAServerIs(t *testing.T) {
	const token = "planted-in-env"
	o := options(t, fakeserver.Script{
		Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"a ` + token + `","version":"` + token + `"}}`),
		Tools:      []json.RawMessage{json.RawMessage(`{"name":"` + token + `","inputSchema":5}`)},
	})
	o.Server.Env = append(o.Server.Env, config.Variable{Name: "API_TOKEN", Value: token})
	var logged lockedBuffer
	o.Logger = slog.New(slog.NewTextHandler(&logged, nil))
	s := connect(t, o)
	if all := logged.String(); !strings.Contains(all, "Server connected") || strings.Contains(all, token) {
		t.Errorf("the log is %s", all)
	}
	found := s.Info().Diagnostics
	if len(found) != 1 || strings.Contains(found[0].Name+found[0].Message.String(), token) {
		t.Errorf("the faults of the tools are %v", found)
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
