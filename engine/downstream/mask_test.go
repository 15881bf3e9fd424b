package downstream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestSecretsDoNotReachLogs starts a server that prints its secrets wherever it can.
func TestSecretsDoNotReachLogs(t *testing.T) {
	const token, header, flag, client, known = "planted-in-env", "planted-in-header", "planted-in-args",
		"planted-in-oauth", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
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
		Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"a ` +
			token + `","version":"` + token + `"}}`),
		Tools: []json.RawMessage{json.RawMessage(`{"name":"` + token + `","inputSchema":5}`)},
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

// fromKeychain returns an entry whose values came from the keychain, under names that do not tell.
func fromKeychain(t *testing.T, entry config.Server, values ...string) *config.Server {
	t.Helper()
	for i := range values {
		entry.Env = append(entry.Env, config.Variable{Name: fmt.Sprint("COLOUR", i), Value: fmt.Sprintf("${keyring:%d}", i)})
	}
	server, err := entry.Expand(config.Lookup{
		Env:     func(string) (string, bool) { return "", true },
		Keyring: func(name string) (string, error) { i, err := strconv.Atoi(name); return values[i], err },
	})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// What a server says to people beside its results has no secrets either: its log, its progress and what it says of a
// task. All else of these messages stays as it is.
func TestSecretsDoNotReachNotices(t *testing.T) {
	const token = "planted-in-env"
	o := options(t, fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"logging":{}}`),
		SayOn: map[string][]string{"tools/call": {
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"of":["` + token +
				`"]},"n":1.0}}`,
			`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"` + token +
				`","status":"failed","statusMessage":"no ` + token + `"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1.0,"message":"with ` +
				token + `"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info" , "data":"nothing"}}`,
		}},
	})
	o.Server.Env = append(o.Server.Env, config.Variable{Name: "API_TOKEN", Value: token})
	var mu sync.Mutex
	var heard []string
	hear := func(params json.RawMessage) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, string(params))
	}
	o.OnNotification = func(_ string, params json.RawMessage) { hear(params) }
	s := connect(t, o)
	if _, err := s.Call(t.Context(), Call{Tool: "echo", Progress: hear}); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	want := []string{`{"level":"info","data":{"of":["•••"]},"n":1.0}`,
		`{"taskId":"` + token + `","status":"failed","statusMessage":"no •••"}`,
		`{"progressToken":ID,"progress":1.0,"message":"with •••"}`, `{"level":"info" , "data":"nothing"}`}
	for i := range heard {
		heard[i] = regexp.MustCompile(`"progressToken":[0-9]+`).ReplaceAllString(heard[i], `"progressToken":ID`)
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("notifications (-want +got)\n%s", diff)
	}
}

// A value from the keychain is masked in every spelling, however short it is.
func TestKeychainValuesAreMasked(t *testing.T) {
	for _, value := range []string{"hunter2", "x7", "pin", "a b&c=d/é", `q"\x`, "p%20q", "with\ttab",
		"line one\nline two", " padded ", "Bearer hunter2", "wJalrXUt/K7MDENG+bPx"} {
		s := newSecrets(fromKeychain(t, config.Server{}, value))
		quoted, _ := json.Marshal(value)
		twice, _ := json.Marshal(string(quoted[1 : len(quoted)-1]))
		texts := map[string]string{
			"as it is": value, "query": url.QueryEscape(value), "path": url.PathEscape(value),
			"lower case": strings.ToLower(url.QueryEscape(value)),
			"twice":      url.QueryEscape(url.QueryEscape(value)), "JSON": string(quoted[1 : len(quoted)-1]),
			"ASCII":  strings.ReplaceAll(string(quoted[1:len(quoted)-1]), "é", `\u00e9`),
			"spaces": strings.TrimSpace(value), "JSON in JSON": string(twice[1 : len(twice)-1]),
			"ASCII in JSON": strings.ReplaceAll(string(twice[1:len(twice)-1]), "é", `\\u00e9`),
			"PHP":           strings.ReplaceAll(string(quoted[1:len(quoted)-1]), "/", `\/`),
			"PHP in JSON":   strings.ReplaceAll(string(twice[1:len(twice)-1]), "/", `\\/`),
		}
		for i, code := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
			base64.RawURLEncoding} {
			for _, around := range []string{"%s", "me:%s", "user:%s", "another:%s", "%s:password", "{'k':'%s'}"} {
				texts[fmt.Sprint(around, " in base64 ", i)] = code.EncodeToString(fmt.Appendf(nil, around, value))
			}
		}
		texts["base64 in an address"] = url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("me:" + value)))
		if value != strings.ToLower(value) {
			delete(texts, "lower case")
		}
		for how, text := range texts {
			for _, around := range []string{"%s", "key=%s", "<%s>", `{"key":"%s"}`, "GET /%s HTTP/1.1", "say (%s) and %[1]s;"} {
				said := fmt.Sprintf(around, text)
				got := s.mask(said)
				if strings.Contains(got, text) || !strings.Contains(got, "•••") {
					t.Errorf("%q, %s: %q becomes %q", value, how, said, got)
				}
			}
		}
	}
}

// Text that has no secrets stays as it is, and masking does not take long, whatever the text is.
func TestMaskLeavesTheRest(t *testing.T) {
	s := newSecrets(fromKeychain(t, config.Server{}, "hunter2", "a%b", "q/r+s="))
	for _, text := range []string{"", "a plain line", "/usr/lib/node_modules/x.js:12", "100%", `\`, `\u`, "%", "%2",
		"a+b=c", "hunter", "HUNTER2", "aHVudGVyMg", "•••", "%25", "\xff%ff"} {
		if got := s.mask(text); got != text && text != "aHVudGVyMg" {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := newSecrets(&config.Server{}).mask("hunter2"); got != "hunter2" {
		t.Errorf("without secrets: %q", got)
	}
}

// The texts of a failure have no secrets: not an error of a call, its data, a result that says that the tool
// failed, nor the end of the session.
func TestFailuresHaveNoSecrets(t *testing.T) {
	const value = "teal 7"
	coded := base64.StdEncoding.EncodeToString([]byte("me:" + value))
	said := value + " / " + url.QueryEscape(value) + " / " + coded
	quoted, _ := json.Marshal(said)
	script := fakeserver.Script{
		Tools: []json.RawMessage{fakeserver.Tool("refuse"), fakeserver.Tool("fail"), fakeserver.Tool("die"),
			fakeserver.Tool("work")},
		Errors: map[string]json.RawMessage{
			"refuse": json.RawMessage(`{"code":-32000,"message":` + string(quoted) + `,"data":{"why":[` + string(quoted) +
				`]}}`)},
		Results: map[string]json.RawMessage{
			"fail": json.RawMessage(`{"content":[{"type":"text","text":` + string(quoted) + `}],"isError":true}`),
			"work": json.RawMessage(`{"content":[{"type":"text","text":` + string(quoted) + `}]}`),
		},
		DieOnCall: "die", Stderr: []string{said},
	}
	o := options(t, script)
	o.Server = fromKeychain(t, *o.Server, value)
	s := connect(t, o)
	clear := func(what, text string) {
		t.Helper()
		for _, bad := range []string{value, url.QueryEscape(value), coded} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %s", what, text)
			}
		}
		if !strings.Contains(text, "•••") {
			t.Errorf("%s says nothing: %s", what, text)
		}
	}
	_, err := s.Call(t.Context(), Call{Tool: "refuse"})
	var refused *RPCError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	clear("an error", refused.Message)
	clear("its data", string(refused.Data))
	result, err := s.Call(t.Context(), Call{Tool: "fail"})
	if err != nil || !json.Valid([]byte(whole(result))) {
		t.Fatal(err, whole(result))
	}
	clear("a result", whole(result))
	if result, err := s.Call(t.Context(), Call{Tool: "work"}); err != nil || !strings.Contains(whole(result), value) {
		t.Errorf("a result that is no failure was changed: %s, %v", result, err)
	}
	if _, err = s.Call(t.Context(), Call{Tool: "die"}); err == nil {
		t.Fatal("the server lives")
	}
	<-s.Done()
	log := ""
	for _, line := range s.Log() {
		log += line.String() + "\n"
	}
	clear("the end", s.Err().Error()+log)
}

// A remote server repeats the access token of a sign-in, which has no form of its own, wherever it can: nothing of it
// is in failures, in the lines of the server or in the log of the engine. The token that came before counts as well.
func TestTokensAreMasked(t *testing.T) {
	said := map[string]bool{}
	encode := func(token string) string {
		spellings := []string{"Bearer " + token, url.QueryEscape(token),
			base64.StdEncoding.EncodeToString([]byte("user:" + token)),
			base64.RawURLEncoding.EncodeToString([]byte(token)), strings.ReplaceAll(token, "/", `\/`)}
		for _, spelling := range append(spellings, token) {
			said[strings.TrimPrefix(spelling, "Bearer ")] = true
		}
		return strings.Join(spellings, " ; ")
	}
	const old, new = "tau ceti/4+a==", "vega/9+b=="
	text := "refused: " + encode(old) + " ; " + encode(new)
	quoted, _ := json.Marshal(text)
	var round int
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+old {
			http.Error(w, text, http.StatusUnauthorized)
			return
		}
		scripted(map[string]func(http.ResponseWriter,
			json.RawMessage){"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
			switch round++; round {
			case 1:
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s,"data":[%[2]s]}}`, id, quoted)
			case 2:
				say(w, id, `{"isError":true,"content":[{"type":"text","text":`+string(quoted)+`}]}`)
			case 3:
				http.Error(w, text, http.StatusInternalServerError)
			case 4:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":%s}}\n\n", quoted)
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", id)
			default:
				w.Header().Set("WWW-Authenticate",
					`Bearer error="insufficient_scope", scope="`+strings.ReplaceAll(text, `\`, `\\`)+`"`)
				w.WriteHeader(http.StatusForbidden)
			}
		}})(w, r)
	})
	o := remoteOptions(config.TransportHTTP, address)
	o.Tokens = lacking{func(_, refused string) (string, error) {
		if refused == "" {
			return old, nil
		}
		return new, nil
	}, text, true, make(chan string, 10)}
	var logged lockedBuffer
	o.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := connect(t, o)
	var all []string
	for range 5 {
		result, err := s.Call(t.Context(), Call{Tool: "t"})
		if err != nil {
			all = append(all, err.Error())
			if refused, ok := errors.AsType[*RPCError](err); ok {
				all = append(all, string(refused.Data))
			}
		} else {
			all = append(all, whole(result))
		}
	}
	for _, line := range s.Log() {
		all = append(all, line.String())
	}
	whole := strings.Join(append(all, logged.String()), "\n")
	if strings.Count(whole, "refused: ") < 5 {
		t.Errorf("the server's words are missing: %s", whole)
	}
	for spelling := range said {
		if strings.Contains(whole, spelling) {
			t.Errorf("%q is in: %s", spelling, whole)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("hunter2", "key=hunter2&x=%68unter2 aHVudGVyMg==")
	f.Add("a b", `a+b a%20b a\u0020b YSBi`)
	f.Fuzz(func(t *testing.T, value, text string) {
		if !utf8.ValidString(value) || strings.TrimSpace(value) == "" || strings.ContainsAny(value, "•") {
			return
		}
		s := &secrets{own: parts(value)}
		longestFirst(s.own)
		if got := s.mask(text + value + text); strings.Contains(strings.ReplaceAll(got, "•••", ""), value) &&
			!strings.Contains(strings.ReplaceAll(got, "•••", "\x00"), "\x00") {
			t.Errorf("%q in %q", value, got)
		}
		for _, code := range []string{url.QueryEscape(value), base64.StdEncoding.EncodeToString([]byte(value))} {
			if got := s.mask("<" + code + ">"); got == "<"+code+">" {
				t.Errorf("%q is shown: %q", value, got)
			}
		}
	})
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
