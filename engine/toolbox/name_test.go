package toolbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// servers returns a configuration with the servers of "toolbox/server" pairs.
func servers(pairs ...string) *config.Config {
	cfg := &config.Config{}
	for _, pair := range pairs {
		boxName, serverName, _ := strings.Cut(pair, "/")
		box, ok := cfg.Toolbox(boxName)
		if !ok {
			box = &config.Toolbox{Name: boxName}
			cfg.Toolboxes = append(cfg.Toolboxes, box)
		}
		box.Servers = append(box.Servers, &config.Server{Name: serverName})
	}
	return cfg
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		name          string
		config        *config.Config
		budget        int
		box, server   string
		tools, expect []string
	}{
		{"plain", servers("dev/filesystem"), 0, "dev", "filesystem",
			[]string{"read_file", "write-file"}, []string{"dev__filesystem__read_file", "dev__filesystem__write-file"}},
		{"other characters", servers("my box/größe.1"), 0, "my box", "größe.1",
			[]string{"a.b/c"}, []string{"my_box__gr__e_1__a_b_c"}},
		{"too long", servers("development/filesystem"), 0, "development", "filesystem",
			[]string{"read_a_file_with_a_long_name"}, []string{"development__filesystem__read_a_fil_30b71775"}},
		{"too long by one", servers("d/f"), 20, "d", "f",
			[]string{"12345678901234", "123456789012345"}, []string{"d__f__12345678901234", "d__f__12345_c9c54564"}},
		{"two tools look alike, the exact one keeps its name", servers("d/f"), 0, "d", "f",
			[]string{"a.b", "a_b"}, []string{"d__f__a_b_d491a222", "d__f__a_b"}},
		{"two tools look alike, none exact", servers("d/f"), 0, "d", "f",
			[]string{"a.b", "a b"}, []string{"d__f__a_b_d491a222", "d__f__a_b_aeafde61"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := NewNamer(test.config, test.budget).Names(test.box, test.server, test.tools)
			if diff := cmp.Diff(test.expect, got); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamesOfDifferentServersNeverMeet(t *testing.T) {
	pairs := []string{"a/b", "a/b__c", "a__b/c", "a/b__c__d", "my box/x", "my_box/x", "my.box/x", "x_/y", "x/_y"}
	tools := []string{"t", "c__t", "d__t", "c__d__t", "_t", "a.b", "a_b"}
	namer := NewNamer(servers(pairs...), 0)
	seen := map[string]string{}
	for _, pair := range pairs {
		box, server, _ := strings.Cut(pair, "/")
		for i, name := range namer.Names(box, server, tools) {
			triple := pair + "/" + tools[i]
			if other, ok := seen[name]; ok {
				t.Errorf("%s and %s share the name %s", other, triple, name)
			}
			seen[name] = triple
			if len(name) > DefaultNameBudget {
				t.Errorf("%s has %d bytes, more than %d", name, len(name), DefaultNameBudget)
			}
		}
	}
	if want := "my_box__x__t"; seen[want] != "my_box/x/t" {
		t.Errorf("%s belongs to %q, want the toolbox that is really called so", want, seen[want])
	}
}

func TestNamesDoNotDependOnOrder(t *testing.T) {
	forward := NewNamer(servers("a/b", "a__b/c", "a/b__c", "my box/x", "my_box/x"), 0)
	backward := NewNamer(servers("my_box/x", "my box/x", "a/b__c", "a__b/c", "a/b"), 0)
	for _, pair := range []string{"a/b", "a__b/c", "a/b__c", "my box/x", "my_box/x"} {
		box, server, _ := strings.Cut(pair, "/")
		one := forward.Names(box, server, []string{"p", "q.r", "q_r"})
		two := backward.Names(box, server, []string{"p", "q.r", "q_r"})
		if diff := cmp.Diff(one, two); diff != "" {
			t.Errorf("%s: names changed with the order of the file:\n%s", pair, diff)
		}
	}
}

func TestReservedNamesAreNotGiven(t *testing.T) {
	namer := NewNamer(servers("a/b"), 0, "a__b__open_toolbox")
	if got := namer.Names("a", "b", []string{"open_toolbox"})[0]; got == "a__b__open_toolbox" ||
		!strings.HasPrefix(got, "a__b__open_toolbox_") {
		t.Errorf("got %s, which is a meta-tool's", got)
	}
}

func BenchmarkNamer1000Servers(b *testing.B) {
	var pairs []string
	for i := range 1000 {
		pairs = append(pairs, fmt.Sprintf("toolbox%d/server%d", i/20, i%20))
	}
	cfg := servers(pairs...)
	for b.Loop() {
		NewNamer(cfg, 0)
	}
}
