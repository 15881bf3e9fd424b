package model

import (
	"reflect"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

func TestShowTo(t *testing.T) {
	here := []App{{ID: "cursor", Name: "Cursor"}, {ID: "zed", Name: "Zed"}}
	for _, tt := range []struct {
		seen []string
		id   string
		on   bool
		want []string // nil: nothing is written
	}{
		{nil, "zed", true, nil},
		{nil, "zed", false, []string{"cursor"}},
		{[]string{"cursor"}, "zed", true, []string{"cursor", "zed"}},
		{[]string{"cursor"}, "cursor", false, []string{}},
		{[]string{"cursor"}, "zed", false, nil},
		{[]string{}, "zed", true, []string{"zed"}},
	} {
		var want []edit.Op
		if tt.want != nil {
			want = []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"apps"},
				Value: jsonc.Value(tt.want)}}
		}
		if got := ShowTo("dev", tt.seen, here, tt.id, tt.on); !reflect.DeepEqual(got, want) {
			t.Errorf("%q, %s %t: %v", tt.seen, tt.id, tt.on, got)
		}
	}
}

func TestInFolder(t *testing.T) {
	for _, tt := range []struct {
		seen   []string
		folder string
		on     bool
		want   []edit.Op
	}{
		{nil, "~/a", true, []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"folders"},
			Value: jsonc.Value([]string{"~/a"})}}},
		{[]string{"~/a"}, "~/a", true, nil},
		{[]string{"~/a", "~/b"}, "~/a", false, []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev"},
			Field: []string{"folders"}, Value: jsonc.Value([]string{"~/b"})}}},
		{[]string{"~/a"}, "~/a", false, Everywhere("dev")},
		{[]string{}, "~/a", false, nil},
	} {
		if got := InFolder("dev", tt.seen, tt.folder, tt.on); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q, %s %t: %v", tt.seen, tt.folder, tt.on, got)
		}
	}
}

func TestAppsForToolboxes(t *testing.T) {
	cfg := &config.Config{Toolboxes: []*config.Toolbox{{Name: "dev", Apps: []string{"warp"}}}}
	zed, _ := clients.ByID("zed")
	cursor, _ := clients.ByID("cursor")
	found := Apps{Known: true, Statuses: []clients.Status{{Found: clients.Found{Client: zed, Installed: true}},
		{Found: clients.Found{Client: cursor}, State: clients.NotConnected}}}
	if got, want := found.For(cfg), []App{{ID: "zed", Name: "Zed"}, {ID: "warp", Name: "Warp"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if got := (Apps{}).For(nil); len(got) < 20 {
		t.Errorf("before the search for apps: %v", got)
	}
}

// TestAppsWithTokens: apps that use HTTP can be chosen for a toolbox like others, each once.
func TestAppsWithTokens(t *testing.T) {
	cursor, _ := clients.ByID("cursor")
	apps := Apps{Known: true, HTTP: HTTP{Apps: []string{"cursor", "n8n"}}, Statuses: []clients.Status{
		{Found: clients.Found{Client: cursor, Installed: true}}}}
	want := []App{{ID: "cursor", Name: "Cursor", Connected: true}, {ID: "n8n", Name: "n8n", Connected: true}}
	if got := apps.For(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("the apps are %+v", got)
	}
}
