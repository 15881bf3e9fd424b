package edit

import (
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// maxAbout is the largest number of characters of names in the description of a toolbox.
const maxAbout = 300

// About returns a description of a toolbox that lists the names of its servers. Models choose a toolbox by
// its description, and would otherwise not find a server that they know by name. [Apply] rewrites such a
// description when operations change the servers.
func About(servers []string) string {
	text := ""
	for i, name := range servers {
		switch {
		case i == 0:
			text = "Servers: " + name
		case len(text)+len(name) > maxAbout:
			return text + fmt.Sprintf(" and %d more", len(servers)-i)
		default:
			text += ", " + name
		}
	}
	return text
}

// abouts returns, by name, the toolboxes whose description is exactly what [About] returns for them, with
// that description.
func (d *draft) abouts() map[string]string {
	found := map[string]string{}
	d.eachToolbox(func(name, described string, servers []string) {
		if described != "" && described == About(servers) {
			found[name] = described
		}
	})
	return found
}

// followServers rewrites the descriptions that [About] made for the earlier servers.
func (d *draft) followServers(before map[string]string) error {
	now := map[string]string{}
	d.eachToolbox(func(name, described string, servers []string) {
		if about := About(servers); described != "" && described == before[name] && described != about {
			now[name] = about
		}
	})
	for name, about := range now {
		target := Target{Toolbox: name}
		var op Op = SetField{Target: target, Field: []string{"description"}, Value: jsonc.Value(about)}
		if about == "" {
			op = ClearField{Target: target, Field: []string{"description"}}
		}
		if err := d.do(op); err != nil {
			return err
		}
	}
	return nil
}

// eachToolbox calls tell for each toolbox with its name, its description and its servers that are turned on.
func (d *draft) eachToolbox(tell func(name, described string, servers []string)) {
	toolboxes := d.text.Root().At(toolboxesPath())
	if toolboxes == nil || toolboxes.Repeated() != nil {
		return
	}
	for _, box := range toolboxes.Children {
		if box.Kind != jsonc.Object || box.Repeated() != nil {
			continue
		}
		var enabled []string
		if servers := box.Member("mcpServers"); servers != nil {
			for _, server := range servers.Children {
				if off := server.Member("disabled"); off == nil || off.Raw() != "true" {
					enabled = append(enabled, server.Key)
				}
			}
		}
		tell(box.Key, box.Member("description").Str(), enabled)
	}
}
