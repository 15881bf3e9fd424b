package config

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

func testLookup() Lookup {
	return Lookup{
		Env: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": "/home/ada", "EMPTY": "", "NESTED": "${HOME}",
				"ProgramFiles(x86)": `C:\Program Files (x86)`}[name]
			return value, ok
		},
		Keyring: func(name string) (string, error) {
			switch name {
			case "github", "a:-b":
				return "s3cret", nil
			case "locked":
				return "", errors.New("the keychain is locked")
			}
			return "", keyring.ErrNotFound
		},
	}
}

func TestExpandText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain $HOME $ $$ {x}", "plain $HOME $ $$ {x}"},
		{"${HOME}", "/home/ada"},
		{"a${HOME}b${HOME}c", "a/home/adab/home/adac"},
		{"${env:HOME}/x", "/home/ada/x"},
		{"${env:UNSET:-default}", "default"},
		{"$${env:HOME}", "${env:HOME}"},
		{"${UNSET:-default}", "default"},
		{"${UNSET:-}", ""},
		{"${UNSET:-a:-b}", "a:-b"},
		{"${EMPTY:-default}", "default"},
		{"${EMPTY}", ""},
		{"${HOME:-default}", "/home/ada"},
		{"$${HOME}", "${HOME}"},
		{"$$${HOME}", "$${HOME}"},
		{"${HOME}$${HOME}", "/home/ada${HOME}"},
		{"$$${HOME}${HOME}", "$${HOME}/home/ada"},
		{"${NESTED}", "${HOME}"}, // the value of a variable is not expanded again
		{"${keyring:github}", "s3cret"},
		{"${keyring:a:-b}", "s3cret"},
		{"${ProgramFiles(x86)}", `C:\Program Files (x86)`},
		{"é${HOME}é", "é/home/adaé"},
		{"${HOME}}", "/home/ada}"},
	} {
		server := &Server{Command: "x", Args: []string{test.text}}
		got, err := server.Expand(testLookup())
		if err != nil || got.Args[0] != test.want {
			t.Errorf("%q became %+v, %v; want %q", test.text, got, err, test.want)
		}
	}
}

func TestExpandServer(t *testing.T) {
	limit := time.Second
	server := &Server{
		Name: "${HOME}", Transport: TransportHTTP, Command: "${HOME}/c", Args: []string{"-y", "${HOME}"},
		Env: []Variable{{"${HOME}", "${HOME}"}, {"T", "${keyring:github}"}}, Cwd: "${HOME}", URL: "${UNSET:-http://x}/mcp",
		Headers: []Variable{{"Authorization", "Bearer ${keyring:github}"}}, ToolFilters: []string{"${HOME}"},
		StartupTimeout: &limit,
	}
	want := &Server{
		Name: "${HOME}", Transport: TransportHTTP, Command: "/home/ada/c", Args: []string{"-y", "/home/ada"},
		Env: []Variable{{"${HOME}", "/home/ada"}, {"T", "s3cret"}}, Cwd: "/home/ada", URL: "http://x/mcp",
		Headers: []Variable{{"Authorization", "Bearer s3cret"}}, ToolFilters: []string{"${HOME}"}, StartupTimeout: &limit,
	}
	got, err := server.Expand(testLookup())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if server.Args[1] != "${HOME}" || server.Env[0].Value != "${HOME}" ||
		server.Headers[0].Value == got.Headers[0].Value {
		t.Error("the receiver was changed")
	}
	if got, err := (&Server{Command: "x", ToolFilters: []string{}}).Expand(Lookup{}); err != nil ||
		got.ToolFilters == nil || got.Allows("any") {
		t.Error("a filter that lets nothing through was lost")
	}
}

func TestExpandErrors(t *testing.T) {
	server := &Server{
		Transport: TransportStdio, Command: "${A}", Args: []string{"ok", "${HOME}", "${B}${B}${C}"},
		Env: []Variable{{"TOKEN", "${D}"}, {"my key", "${keyring:none}"}, {"X", "${keyring:locked}"}, {"Y", "${"},
			{"Z", "${keyring:github}"}},
		Cwd: "${HOME}/x", Headers: []Variable{{"H", "${E}"}},
		OAuth: &OAuth{ClientID: "${F}", ClientSecret: "${keyring:none}", Scope: "${G}"},
	}
	_, err := server.Expand(testLookup())
	var problem *ExpandError
	if !errors.As(err, &problem) {
		t.Fatalf("got %v", err)
	}
	var fields []string
	for _, p := range problem.Problems {
		fields = append(fields, p.Field)
	}
	want := []string{"command", "args[2]", "args[2]", "env.TOKEN", `env["my key"]`, "env.X", "env.Y", "headers.H",
		"oauth.clientId", "oauth.clientSecret", "oauth.scope"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !errors.Is(err, ErrUnset) || !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("%v hides its reasons", err)
	}
	for _, secret := range []string{"s3cret", "/home/ada", "\n"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%q is in %v", secret, err)
		}
	}
	for _, said := range []string{"the environment variable A is not set (in command);", "${NAME:-default}",
		`secret "none"`, "the keychain could not be asked for \"locked\": it is locked"} {
		if !strings.Contains(err.Error(), said) {
			t.Errorf("%q is not in %v", said, err)
		}
	}

	if masked := secret.Mask(err.Error()); masked != err.Error() {
		t.Errorf("of %v one reads %v", err, masked)
	}

	for _, server := range []*Server{
		{Transport: TransportStdio, Command: "${EMPTY}"},
		{Transport: TransportHTTP, URL: "${HOME}/mcp"},
	} {
		if _, err := server.Expand(testLookup()); err == nil || strings.Contains(err.Error(), "/home/ada") {
			t.Errorf("%+v: got %v", server, err)
		}
	}
	if _, err := (&Server{Command: "${X}", Args: []string{"${keyring:y}"}}).Expand(Lookup{}); err == nil {
		t.Error("the zero Lookup finds something")
	}
}

// The result says which values came from the keychain, each once, wherever they stand.
func TestExpandSaysWhatCameFromTheKeychain(t *testing.T) {
	server := &Server{
		Command: "run", Args: []string{"--pin=${keyring:pin}", "${HOME}"},
		Env:     []Variable{{"COLOUR", "${keyring:colour}"}, {"AGAIN", "<${keyring:colour}>"}},
		Headers: []Variable{{"X", "Bearer ${keyring:header}"}},
	}
	secrets := map[string]string{"pin": "7", "colour": "teal", "header": "hunter2"}
	out, err := server.Expand(Lookup{
		Env:     func(string) (string, bool) { return "/home/me", true },
		Keyring: func(name string) (string, error) { return secrets[name], nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(slices.Values(out.FromKeychain()))
	if want := []string{"7", "hunter2", "teal"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(server.FromKeychain()) > 0 {
		t.Error("the receiver was changed")
	}
}
