package workbench

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestInstructions(t *testing.T) {
	server := func(disabled bool) *config.Server { return &config.Server{Disabled: disabled} }
	dev := &config.Toolbox{Name: "dev", Description: "Development environment tools", Servers: []*config.Server{server(false), server(false), server(false)}}
	prod := &config.Toolbox{Name: "prod", Description: "Production monitoring tools", Servers: []*config.Server{server(false), server(true), server(false)}}
	for _, test := range []struct {
		name   string
		config config.Config
		want   string
	}{
		{"several toolboxes, disabled servers not counted", config.Config{Toolboxes: []*config.Toolbox{dev, prod}}, `Available Toolboxes:

dev (3 servers)
  Description: Development environment tools

prod (2 servers)
  Description: Production monitoring tools

To access tools from a toolbox, use open_toolbox with the toolbox name.`},
		{"one toolbox, one server, no description, prefix",
			config.Config{MetaToolPrefix: "workbench_", Toolboxes: []*config.Toolbox{{Name: "b a", Servers: []*config.Server{server(false)}}}}, `Available Toolboxes:

b a (1 servers)
  Description: No description provided

To access tools from a toolbox, use workbench_open_toolbox with the toolbox name.`},
		{"none", config.Config{}, `No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Instructions(&test.config)); diff != "" {
				t.Errorf("instructions (-want +got):\n%s", diff)
			}
		})
	}
}
