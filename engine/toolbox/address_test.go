package toolbox

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestAddress(t *testing.T) {
	at := ServerID{"my box", "a/b"}
	for uri, want := range map[string]string{
		"file:///a b":            "workbench://from/my%20box/a%2Fb/file:///a b",
		"ui://widget/index.html": "ui://workbench/my%20box/a%2Fb/widget/index.html",
		"ui://w/{id}":            "ui://workbench/my%20box/a%2Fb/w/{id}",
	} {
		made := address(at, uri)
		if server, own, ok := parseAddress(made); made != want || !ok || server != at || own != uri {
			t.Errorf("%s became %s, want %s; read again: %v %s %v", uri, made, want, server, own, ok)
		}
	}
	for uri, want := range map[string]bool{
		"ui://a": true, "workbench://x": true, "notes/a.txt": true, "/etc/x": true, ":a": true, "1a:b": true, "a b:c": true,
		"":          true,
		"file:///a": false, "a:b": false, "x+y-z.1://h": false, "{scheme}://a": false, "a://{b}": false,
	} {
		if needsAddress(uri) != want {
			t.Errorf("%q: %v", uri, !want)
		}
	}
}

func TestOwnPages(t *testing.T) {
	at := ServerID{"t", "s"}
	for in, want := range map[string]string{
		`{"content":[]}`: `{"content":[]}`,
		`{"_meta":{"ui":{"resourceUri":"ui://a","x":1.0},"ui/resourceUri":"ui://a","openai/outputTemplate":"ui://a","k":"ui://a"},"isError":false}`: `{"_meta":{"ui":{"resourceUri":"ui://workbench/t/s/a","x":1.0},"ui/resourceUri":"ui://workbench/t/s/a","openai/outputTemplate":"ui://workbench/t/s/a","k":"ui://a"},"isError":false}`,
		`{"content":[{"type":"resource_link","uri":"ui://a","name":"n"},{"type":"text","text":"ui://a"}]}`:                                          `{"content":[{"type":"resource_link","uri":"ui://workbench/t/s/a","name":"n"},{"type":"text","text":"ui://a"}]}`,
		`{"_meta":{"ui":{"resourceUri":"https://a"}},"x":"ui://"}`:                                                                                  `{"_meta":{"ui":{"resourceUri":"https://a"}},"x":"ui://"}`,
	} {
		if got := string(jsonrpc.AppendObject(nil, withOwnPages(at, jsonrpc.Split([]byte(in))))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}
