package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// remoteConfig writes a configuration with one remote server.
func remoteConfig(t *testing.T, address string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"toolboxes": map[string]any{"dev": map[string]any{
			"mcpServers": map[string]any{"far": map[string]any{"url": address}}}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEnginesOfOneSignIn runs a sign-in from beginning to end: an engine needs it, the user signs in, two engines
// share it and renew it at the same time, and it is revoked.
func TestEnginesOfOneSignIn(t *testing.T) {
	service := fakeservice.New()
	t.Cleanup(service.Stop)
	service.Set(func() { service.Slow = 100 * time.Millisecond })
	folder := filepath.Join(t.TempDir(), "sign-ins")
	file := remoteConfig(t, service.Address())
	at := linkEndpoint(t)
	hub, _ := startApp(t, at)

	var engines []*aiClient
	for range 2 {
		c := startEngine(t, at, file, "--sign-ins", folder)
		c.initialize()
		if said := c.open(); !strings.Contains(said, "sign in") || strings.Contains(said, "greet") {
			t.Fatalf("without a sign-in: %s", said)
		}
		engines = append(engines, c)
	}
	all := func(want status.State) func([]ipc.Engine) bool {
		return func(found []ipc.Engine) bool {
			if len(found) != len(engines) {
				return false
			}
			for _, engine := range found {
				if len(engine.Servers) != 1 || engine.Servers[0].State != want {
					return false
				}
			}
			return true
		}
	}
	see(t, hub, "two engines that need a sign-in", all(status.SignIn))

	store := signin.Open(signin.Options{Dir: folder})
	if err := store.SignIn(t.Context(), &config.Server{URL: service.Address()}, nil, fakeservice.Browse); err != nil {
		t.Fatal(err)
	}
	// The window tells one engine. The other engine notices by itself when it needs the sign-in.
	call := func(c *aiClient) string {
		return c.ask("tools/call", `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"far","tool":"greet"},"arguments":{}}}`)
	}
	for _, engine := range hub.Engines() {
		if engine.Pid != engines[0].cmd.Process.Pid {
			continue
		}
		if err := hub.Restart(t.Context(), engine.ID, "dev", "far"); err != nil {
			t.Errorf("restarting: %v", err)
		}
	}
	if said := call(engines[1]); !strings.Contains(said, "hello") {
		t.Errorf("after the sign-in: %s", said)
	}
	see(t, hub, "two engines that are connected", all(status.Connected))

	service.ExpireAccess()
	var wg sync.WaitGroup
	for _, c := range engines {
		wg.Go(func() {
			if said := call(c); !strings.Contains(said, "hello") {
				t.Errorf("after the token had expired: %s", said)
			}
		})
	}
	wg.Wait()
	if service.Renewals() != 1 || service.Reused() != 0 {
		t.Errorf("%d renewals, %d of them with a refresh token that was used before", service.Renewals(), service.Reused())
	}

	service.Revoke()
	for _, c := range engines {
		if said := call(c); !strings.Contains(said, "AUTH_REQUIRED") {
			t.Errorf("after the sign-in was revoked: %s", said)
		}
	}
	see(t, hub, "two engines that need a sign-in again", all(status.SignIn))
	if store.Has(service.Address()) {
		t.Error("a revoked sign-in is still stored")
	}
	for _, secret := range service.Secrets() {
		for _, c := range engines {
			if strings.Contains(c.stderr.String(), secret) {
				t.Error("a token is in the log")
			}
		}
		for _, engine := range hub.Engines() {
			if told, _ := json.Marshal(engine); strings.Contains(string(told), secret) {
				t.Error("a token was sent to the app")
			}
		}
	}
}

// TestStepUp uses a tool that needs more rights than the first sign-in has. The call says so, the server waits for a
// sign-in, and after that the call works.
func TestStepUp(t *testing.T) {
	service := fakeservice.New()
	t.Cleanup(service.Stop)
	service.Set(func() { service.Wants, service.Rights = "basic", map[string]string{"greet": "files:write"} })
	folder := filepath.Join(t.TempDir(), "sign-ins")
	at := linkEndpoint(t)
	hub, _ := startApp(t, at)
	store := signin.Open(signin.Options{Dir: folder})
	server := &config.Server{URL: service.Address()}
	if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err != nil {
		t.Fatal(err)
	}
	c := startEngine(t, at, remoteConfig(t, service.Address()), "--sign-ins", folder)
	c.initialize()
	if said := c.open(); !strings.Contains(said, "greet") {
		t.Fatalf("signed in: %s", said)
	}
	const call = `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"far","tool":"greet"},"arguments":{}}}`
	said := c.ask("tools/call", call)
	if !strings.Contains(said, "AUTH_REQUIRED") ||
		!strings.Contains(said, "wants more rights than you have signed in for (files:write)") {
		t.Fatalf("without the right: %s", said)
	}
	see(t, hub, "a server that waits for a sign-in", func(found []ipc.Engine) bool {
		return len(found) == 1 && len(found[0].Servers) == 1 && found[0].Servers[0].State == status.SignIn &&
			found[0].Servers[0].Problem != nil && strings.Contains(found[0].Servers[0].Problem.Message.String(), "more rights")
	})
	if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err != nil {
		t.Fatal(err)
	}
	if scope := service.Asked()[1].Get("scope"); scope != "basic files:write" {
		t.Errorf("signed in for %q", scope)
	}
	if said := c.ask("tools/call", call); !strings.Contains(said, "hello") {
		t.Errorf("with the right: %s", said)
	}

	// If rights were requested and not granted, the call fails but the server stays usable.
	service.Set(func() {
		service.Rights["greet"] = "files:burn"
		service.Grants = func(string) string { return "basic" }
	})
	if said := c.ask("tools/call", call); !strings.Contains(said, "AUTH_REQUIRED") {
		t.Errorf("without another right: %s", said)
	}
	if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err != nil {
		t.Fatal(err)
	}
	if said := c.ask("tools/call", call); strings.Contains(said, "AUTH_REQUIRED") ||
		!strings.Contains(said, "your account does not have them") {
		t.Errorf("with a right that was not granted: %s", said)
	}
	see(t, hub, "a server that is connected", func(found []ipc.Engine) bool {
		return len(found) == 1 && len(found[0].Servers) == 1 && found[0].Servers[0].State == status.Connected
	})
}
