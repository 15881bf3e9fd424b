package downstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

func many(count int) []json.RawMessage {
	tools := make([]json.RawMessage, count)
	for i := range tools {
		tools[i] = fakeserver.Tool(fmt.Sprintf("t%d", i))
	}
	return tools
}

func TestPages(t *testing.T) {
	tests := []struct {
		script     fakeserver.Script
		tools      int
		diagnostic string
	}{
		{fakeserver.Script{Tools: many(7), Pages: 3}, 7, ""},
		{fakeserver.Script{Tools: many(4), Pages: 2, Cursor: "repeat"}, 4, "the server repeats its cursor"},
		{fakeserver.Script{Tools: many(2), Cursor: "endless"}, 2, "cut off after 1000 pages"},
		{fakeserver.Script{Tools: []json.RawMessage{}}, 1, ""},
		{fakeserver.Script{Tools: many(4), Pages: 2, Cursor: `2`}, 4, ""},
		{fakeserver.Script{Tools: many(4), Pages: 2, Cursor: `""`}, 2, ""},
		{fakeserver.Script{Tools: many(4), Pages: 2, Cursor: `""`, Modern: true}, 4, ""},
	}
	for _, test := range tests {
		s := connect(t, options(t, test.script))
		var got string
		for _, diagnostic := range s.Info().Diagnostics {
			got += diagnostic.Message.String()
		}
		if test.diagnostic == "" && got != "" || !strings.Contains(got, test.diagnostic) {
			t.Errorf("diagnostics %q, want %q", got, test.diagnostic)
		}
		if len(s.Tools()) != test.tools {
			t.Errorf("%d tools, want %d", len(s.Tools()), test.tools)
		}
		for i, tool := range s.Tools() {
			if test.tools > 1 && tool.Name != fmt.Sprintf("t%d", i) {
				t.Errorf("tool %d is %s", i, tool.Name)
			}
		}
	}
}

func TestMalformedToolsAreSetAsideAlone(t *testing.T) {
	good := json.RawMessage(`{"zz":1,"name":"good","title":"Good","description":"a\u0007b<c>","inputSchema":{"type":"object","if":{"oneOf":[{"$ref":"#/$defs/a"}]},"$defs":{"a":{"maximum":9007199254740993}},"definitions":{},"properties":{"b":{},"a":{}}},"outputSchema":{"x":[]},"_meta":{"k":1.0}}`)
	s := connect(t, options(t, fakeserver.Script{Tools: []json.RawMessage{
		json.RawMessage(`5`), json.RawMessage(`null`), json.RawMessage(`{}`), json.RawMessage(`{"name":""}`),
		json.RawMessage(`{"name":7,"inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"false schema","inputSchema":false}`),
		json.RawMessage(`{"name":"array schema","inputSchema":{"type":"array"}}`),
		good,
		json.RawMessage(`{"name":"good","inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"guess","inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"none","inputSchema":{"type":"object","properties":{}}}`),
	}}))
	if got := names(s); got != "good guess none" {
		t.Errorf("tools: %s", got)
	}
	tools := s.Tools()
	if string(tools[0].Definition) != string(good) || tools[0].Title != "Good" || tools[0].Description != "a\ab<c>" {
		t.Errorf("the good one became %+v", tools[0])
	}
	if tools[0].NoSchema || !tools[1].NoSchema || tools[2].NoSchema {
		t.Errorf("NoSchema is %v %v %v, want only the second", tools[0].NoSchema, tools[1].NoSchema, tools[2].NoSchema)
	}
	want := []string{
		"the tool was set aside: it is no object",
		"the tool was set aside: it is no object",
		"the tool was set aside: name must be a string",
		"the tool was set aside: name is empty",
		"the tool was set aside: name must be a string",
		`false schema: the tool was set aside: "inputSchema" is missing or not valid`,
		`array schema: the tool was set aside: "inputSchema.type" is missing or not valid`,
		"good: the tool was set aside: another one has the same name",
	}
	if diff := cmp.Diff(want, diagnosed(s)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}

// diagnosed returns the problems of the server's lists, in English.
func diagnosed(s *Session) (texts []string) {
	for _, d := range s.Info().Diagnostics {
		texts = append(texts, d.Text().String())
	}
	return texts
}

func TestCheckTool(t *testing.T) {
	o := options(t, fakeserver.Script{Tools: many(3)})
	o.Check = func(_ Kind, definition json.RawMessage) error {
		switch {
		case strings.Contains(string(definition), "t0"):
			panic("a check that fails")
		case strings.Contains(string(definition), "t1"):
			return errors.New("not this one")
		}
		return nil
	}
	s := connect(t, o)
	want := []string{"t0: the tool was set aside: this is a mistake in Workbench itself; please report it, with the " +
		"log: a check that fails", "t1: the tool was set aside: not this one"}
	if diff := cmp.Diff(want, diagnosed(s)); diff != "" || names(s) != "t2" {
		t.Errorf("tools %s, diagnostics (-want +got)\n%s", names(s), diff)
	}
}

func TestToolListCaps(t *testing.T) {
	l := &lister{kind: Tools, check: checkTools, limit: 1 << 30, mask: strings.Clone, names: map[string]bool{}}
	page := []byte{'['}
	for i := range maxItems + 5 {
		if i > 0 {
			page = append(page, ',')
		}
		page = fmt.Appendf(page, `{"name":"t%d","inputSchema":{"type":"object"}}`, i)
	}
	if err := l.add(append(page, ']')); err != nil {
		t.Fatal(err)
	}
	if len(l.list.items) != maxItems || len(l.list.diagnostics) != 1 ||
		!strings.HasPrefix(l.list.diagnostics[0].Message.String(), "5 tools at the end") {
		t.Errorf("%d tools, %v", len(l.list.items), l.list.diagnostics)
	}
}

func TestWhereToolsAreListed(t *testing.T) {
	notFound := json.RawMessage(`{"code":-32601,"message":"Method not found"}`)
	early := `{"protocolVersion":"2024-11-05","capabilities":%s,"tools":[{"name":"early","inputSchema":{"type":"object"}}]}`
	tests := []struct {
		name   string
		script fakeserver.Script
		want   string
	}{
		{"capability forgotten", fakeserver.Script{Capabilities: json.RawMessage(`{}`)}, "echo"},
		{"no tools at all", fakeserver.Script{Capabilities: json.RawMessage(`{}`), ListError: notFound}, ""},
		{"in initialize only", fakeserver.Script{Initialize: json.RawMessage(fmt.Sprintf(early, `{}`)), ListError: notFound},
			"early"},
		{"in initialize, hanging list",
			fakeserver.Script{Initialize: json.RawMessage(fmt.Sprintf(early, `{}`)), Hang: "tools/list"}, "early"},
		{"in initialize, declared but unknown",
			fakeserver.Script{Initialize: json.RawMessage(fmt.Sprintf(early, `{"tools":{}}`)), ListError: notFound}, "early"},
		{"in both", fakeserver.Script{Initialize: json.RawMessage(fmt.Sprintf(early, `{"tools":{}}`))}, "echo"},
	}
	for _, test := range tests {
		if got := names(connect(t, options(t, test.script))); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestListChanged(t *testing.T) {
	for _, same := range []bool{false, true} {
		script := fakeserver.Script{Tools: many(2), Tools2: many(3), ListChangedAfterCall: true, ListChanged: 40}
		if same {
			script.Tools2 = script.Tools
		}
		o := options(t, script)
		changed := make(chan struct{}, 100)
		o.OnListChanged = func(Kind) {
			changed <- struct{}{}
			panic("a handler that fails")
		}
		s := connect(t, o)
		before := s.lists.of[Tools].Load()
		if _, err := s.Call(t.Context(), Call{Tool: "t0"}); err != nil {
			t.Fatal(err)
		}
		await(t, "the new list", func() bool { return s.lists.of[Tools].Load() != before })
		if !same {
			<-changed
			if names(s) != "t0 t1 t2" {
				t.Errorf("tools %s", names(s))
			}
		}
		if _, err := s.Call(t.Context(), Call{Tool: "t0"}); err != nil {
			t.Errorf("the next call: %v", err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(changed) > 0 {
			t.Errorf("%d needless calls of OnListChanged", len(changed))
		}
	}
}
