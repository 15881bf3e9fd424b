package toolbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// holder returns a server that lists resources and templates, and whose tool "link" links to others. It answers
// every resources/read. log is where the requests that it gets are written.
func holder(t *testing.T, name, resources, templates, links string) (server *config.Server, log string) {
	t.Helper()
	objects := func(format, names string) string {
		var list []string
		for i, uri := range strings.Fields(names) {
			list = append(list, fmt.Sprintf(format, uri, i))
		}
		return strings.Join(list, ",")
	}
	log = filepath.Join(t.TempDir(), name)
	return fake(name, fakeserver.Script{
		Tools:        []json.RawMessage{fakeserver.Tool("link")},
		Capabilities: json.RawMessage(`{"tools":{},"resources":{"subscribe":true}}`),
		Results: map[string]json.RawMessage{
			"link": json.RawMessage(`{"content":[` + objects(`{"type":"resource_link","uri":%q,"name":"n%d"}`, links) + `]}`)},
		Answers: map[string]json.RawMessage{
			"resources/list": json.RawMessage(`{"resources":[` + objects(`{"uri":%q,"name":"n%d"}`, resources) +
				`]}`),
			"resources/templates/list": json.RawMessage(`{"resourceTemplates":[` +
				objects(`{"uriTemplate":%q,"name":"n%d"}`, templates) + `]}`),
			"resources/read":      json.RawMessage(`{"contents":[{"uri":"?","text":"` + name + `"}]}`),
			"resources/subscribe": json.RawMessage(`{}`),
		},
		RequestLog: log,
	}), log
}

// readBy returns the name of the server that answers for a resource, or the error.
func readBy(t *testing.T, m *Manager, uri string) string {
	t.Helper()
	result, err := m.Resources.Read(t.Context(), uri, downstream.Call{}, func(ServerID) {})
	if err != nil {
		return err.Error()
	}
	for _, name := range []string{"a", "b"} {
		if strings.Contains(string(jsonrpc.ValueOf(result, "contents")), `"text":"`+name+`"`) {
			return name
		}
	}
	return string(jsonrpc.AppendObject(nil, result))
}

// TestResourcesAreTheirServers: a URI is read from the one server that claims it, and never from another.
func TestResourcesAreTheirServers(t *testing.T) {
	a, logA := holder(t, "a", "x://both x://a x://far x://tool",
		"doc://{+path} file:///{path} q://s{?q,lang} n://{name*}", "x://linked x://listed-by-b")
	b, logB := holder(t, "b", "x://both x://b x://listed-by-b", "doc://secret/{id} x://fa{r} {+all}", "x://a x://twice")
	m := newManager(t, &config.Config{
		Toolboxes: []*config.Toolbox{{Name: "A", Servers: []*config.Server{a}}, {Name: "B", Servers: []*config.Server{b}}}},
		Options{})
	open(t, m, "A")
	if got := readBy(t, m, "doc://secret/7"); got != "a" {
		t.Errorf("before the other server is there, its resource is read from %s", got)
	}
	open(t, m, "B")
	for _, box := range []string{"A", "B"} {
		if _, err := m.Call(t.Context(), ToolID{box, strings.ToLower(box), "link"}, downstream.Call{}); err != nil {
			t.Fatal(err)
		}
	}
	two := "several servers have it; ask for it at the address of one of them: workbench://from/A/a/%s, " +
		"workbench://from/B/b/%s"
	none := "no server of an open toolbox has this resource"
	for uri, want := range map[string]string{
		"x://a": "a", "x://b": "b", // a link of the other server does not take it over
		"x://both":                        fmt.Sprintf(two, "x://both", "x://both"),
		"workbench://from/A/a/x://both":   "a",
		"workbench://from/B/b/x://both":   "b",
		"x://linked":                      "a",
		"x://listed-by-b":                 "b",
		"x://far":                         "a", // the template of the other server does not take it over
		"x://nobody":                      none,
		"secret://token":                  none,
		"workbench://from/C/a/x://a":      none,
		"doc://secret/7":                  "a", // it has been from the beginning
		"doc://secret/8":                  fmt.Sprintf(two, "doc://secret/8", "doc://secret/8"),
		"doc://open/8":                    "a",
		"file:///etc/a b/ü":               "a",
		"q://s?q=1&lang=de":               "a",
		"q://s":                           "a",
		"n://a/b/c":                       "a",
		"workbench://from/A/a/x://b":      none, // naming a server does not tell it what others have
		"workbench://from/A/a/x://far":    "a",
		"workbench://from/A/a/x://linked": "a",
		"workbench://from/A/a/n://x/y":    "a",
		"workbench://from/B/b/secret://":  "b", // by a template for anything
	} {
		if got := readBy(t, m, uri); got != want {
			t.Errorf("%s is read from: %s\nwant %s", uri, got, want)
		}
		err := m.Resources.Subscribe(t.Context(), uri)
		if refused := errors.Is(err, ErrNoResource); refused != (len(want) > 1) || err != nil && !refused {
			t.Errorf("subscribing to %s: %v", uri, err)
		}
	}
	for log, foreign := range map[string][]string{
		logA: {`"x://b"`, "secret://token", "x://nobody"},
		logB: {`"x://a"`, `"x://linked"`, `"x://far"`, "doc://secret/7", "secret://token", "x://nobody", "file:"},
	} {
		heard, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, uri := range foreign {
			if strings.Contains(string(heard), uri) {
				t.Errorf("%s was asked for %s", filepath.Base(log), uri)
			}
		}
	}
	// While the server is down, nobody takes its place.
	if err := m.Stop(t.Context(), "A", "a"); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"x://both", "doc://secret/9", "x://far"} {
		if got := readBy(t, m, uri); got == "b" {
			t.Errorf("%s is read from another server while its own is down", uri)
		}
	}
	for _, one := range m.Lists.List(t.Context(), downstream.Resources, nil) {
		if one.Item.Name == "x://both" && one.Name == "x://both" {
			t.Error("another server has the URI alone while the first is down")
		}
	}
	if _, _, err := m.Close(t.Context(), "A"); err != nil {
		t.Fatal(err)
	}
	if got := readBy(t, m, "x://both"); got != "b" {
		t.Errorf("with the toolbox of the first closed, it is read from %s", got)
	}
}

func TestTemplatesMatch(t *testing.T) {
	for _, c := range []struct {
		template, uri   string
		matches, nearly bool
	}{
		{"doc://{slug*}", "doc://uksc/2024/12", true, true},
		{"doc://{slug*}", "doc://one", true, true},
		{"doc://{slug}", "doc://one", true, true},
		{"doc://{slug}", "doc://one/two", false, true},
		{"doc://{slug}/x", "doc://one/two", false, false},
		{"f:///{+path}", "f:///etc/x y/ü", true, true},
		{"f://{/path*}", "f:///a/b", true, true},
		{"f://h{/a,b}/end", "f://h/1/2/end", true, true},
		{"q://s{?q,lang}", "q://s", true, true},
		{"q://s{?q,lang}", "q://s?q=a&lang=de", true, true},
		{"q://s{?q,lang}", "q://sx", false, true},
		{"q://s?a=1{&q}", "q://s?a=1&q=2", true, true},
		{"h://s{#part}", "h://s#x/y", true, true},
		{"d://s{.ext}{;p}", "d://s.md;p=1", true, true},
		{"d://s.md", "d://sxmd", false, false},
		{"d://{a}.{b}", "d://x\ny.z", true, true},
		{"d://[{a}]", "d://[x]", true, true},
	} {
		matches, nearly, err := matchTemplate(c.template, c.uri)
		if matches != c.matches || nearly != c.nearly || err != nil {
			t.Errorf("%s and %s: %v, %v, %v", c.template, c.uri, matches, nearly, err)
		}
	}
	for _, bad := range []string{"d://{", "d://{a", "d://{}", "d://a}", "d://{{a}}", "d://{a b}",
		strings.Repeat("d", 2000), "d://" + strings.Repeat("{a}", 50)} {
		if _, _, err := matchTemplate(bad, "d://x"); err == nil {
			t.Errorf("%.20s is a template", bad)
		}
	}
}

func FuzzMatchTemplate(f *testing.F) {
	f.Add("doc://{slug*}{?q}{#x}", "doc://a/b?q=1#2")
	f.Add("d://{a}[{+b}]", "d://(")
	f.Fuzz(func(t *testing.T, template, uri string) {
		matches, nearly, err := matchTemplate(template, uri)
		if err != nil && (matches || nearly) || matches && !nearly {
			t.Errorf("%v, %v, %v", matches, nearly, err)
		}
	})
}

// TestResourceOfAStartingServer: what nobody claims is waited for while servers start. If it is not known afterwards
// what some have, the error says which.
func TestResourceOfAStartingServer(t *testing.T) {
	slow := fakeserver.Script{StartDelayMs: 500, Capabilities: json.RawMessage(`{"tools":{},"resources":{}}`),
		Answers: map[string]json.RawMessage{
			"resources/list":           json.RawMessage(`{"resources":[{"uri":"x://late","name":"late"}]}`),
			"resources/templates/list": json.RawMessage(`{"resourceTemplates":[]}`),
			"resources/read":           json.RawMessage(`{"contents":[{"uri":"x://late","text":"a"}]}`),
		}}
	silent := fakeserver.Script{Capabilities: slow.Capabilities, Hang: "resources/list"}
	m := newManager(t, oneToolbox("box", fake("a", slow), fake("mute", silent)), Options{})
	opened := make(chan error, 1)
	go func() { _, err := m.Open(t.Context(), "box", nil); opened <- err }()
	eventually(t, func() error {
		if now := m.Status().Servers[0]; now.State == status.NotStarted {
			return errors.New("it is not being started")
		}
		return nil
	})
	for {
		starting := m.Status().Servers[0].State == status.Starting
		if got := readBy(t, m, "x://late"); got == "a" {
			break
		} else if !starting { // on a busy machine, the start may take longer than startPatience
			t.Fatalf("while it starts, the answer is %s", got)
		}
	}
	if err := <-opened; err != nil {
		t.Fatal(err)
	}
	_, err := m.Resources.Read(t.Context(), "x://nobody", downstream.Call{}, func(ServerID) {})
	if !errors.Is(err, ErrNoResource) || !strings.Contains(err.Error(), "not known yet what these have: box/mute;") {
		t.Errorf("the error is %v", err)
	}
}
