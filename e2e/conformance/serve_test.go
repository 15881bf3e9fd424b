package conformance

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// The only toolbox, and the only server in it. Their names are short, so that no name of a prompt is cut.
const onlyToolbox, onlyServer = "t", "s"

// serveEngine runs "serve" with one server behind it, and returns an address at which the tools and prompts have the
// names that this server gave them. With -scenario, the log of the engine goes to the log of the test.
func serveEngine(t *testing.T, server map[string]string) string {
	t.Helper()
	folder := built.Folder(t)
	type object = map[string]any
	config, err := json.Marshal(object{"toolboxes": object{onlyToolbox: object{"open": true,
		"mcpServers": object{onlyServer: server}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "workbench-config.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "WORKBENCH_TOOL_MODE=dynamic", "HOME="+folder, "USERPROFILE="+folder, "XDG_STATE_HOME=")
	adding := exec.Command(program, "serve", "token", "add", "suite")
	adding.Env = env
	token, err := adding.Output()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(folder, "engine.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--link", "off", "--sign-ins",
		filepath.Join(folder, "sign-ins"), "--config", file)
	cmd.Env, cmd.Stderr = env, log
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // it says in its log how it ended
		_ = log.Close()
		if said, err := os.ReadFile(log.Name()); err == nil && *scenario != "" {
			t.Logf("the engine's log:\n%s", said)
		}
	})
	first, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(first[strings.Index(first, "http://"):]))
	if err != nil {
		t.Fatal(err)
	}
	renaming := httptest.NewServer(renamer(address, strings.TrimSpace(string(token)), listed(t, address, token)))
	t.Cleanup(func() {
		renaming.CloseClientConnections()
		renaming.Close()
	})
	return renaming.URL
}

// listed returns the names of the tools that the engine has cut.
func listed(t *testing.T, engine *url.URL, token []byte) cut {
	t.Helper()
	session := ""
	ask := func(method, params string) json.RawMessage {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, engine.String(), strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		r.Header.Set("Mcp-Session-Id", session)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		session = answer.Header.Get("Mcp-Session-Id")
		text := string(body)
		return jsonrpc.Lookup([]byte(strings.TrimSpace(text[strings.Index(text, "{"):])), "result")
	}
	ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"names","version":"1"}}`)
	tools, err := jsonrpc.Elements(jsonrpc.Lookup(ask("tools/list", "{}"), "tools"))
	if err != nil {
		t.Fatal(err)
	}
	names := cut{}
	for _, tool := range tools {
		names[ownName(tool)] = nameIn(tool)
	}
	return names
}

// renamer passes requests on to the engine with a token, and changes nothing but names, see [cut.hide] and [show].
func renamer(engine *url.URL, token string, names cut) http.Handler {
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(engine)
			r.Out.URL.Path, r.Out.Host = engine.Path, r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+token)
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			r.Body = showing(r.Body)
			return nil
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = names.hide(body)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
		if name := r.Header.Get("Mcp-Name"); name != "" && r.Header.Get("Mcp-Method") != "resources/read" {
			r.Header.Set("Mcp-Name", names.given(name))
		}
		proxy.ServeHTTP(w, r)
	})
}

// showing returns a body in which the messages, each of which is on one line, went through [show].
func showing(body io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer body.Close()
		lines := bufio.NewReader(body)
		for {
			line, err := lines.ReadString('\n')
			start := strings.Index(line, "{")
			if start == 0 || start > 0 && strings.HasPrefix(line, "data: ") {
				line = line[:start] + string(show([]byte(line[start:])))
			}
			if _, failed := io.WriteString(in, line); failed != nil || err != nil {
				_ = in.CloseWithError(err)
				return
			}
		}
	}()
	return out
}
