package environ

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sys/windows/registry"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// askSystem reads PATH from the registry, where installers write it: a program has the PATH from the time
// when it, or its parent, was started. There is no shell to ask.
func askSystem(context.Context, []string, time.Duration) ([]variable, Report) {
	var parts []string
	for _, place := range []struct {
		root registry.Key
		key  string
	}{
		{registry.LOCAL_MACHINE, `SYSTEM\CurrentControlSet\Control\Session Manager\Environment`},
		{registry.CURRENT_USER, "Environment"},
	} {
		if path := registryPath(place.root, place.key); path != "" {
			parts = append(parts, path)
		}
	}
	if len(parts) == 0 {
		return nil, Report{Problem: words.NewError("environ.no_path_in_registry")}
	}
	return []variable{{"Path", strings.Join(parts, ";")}}, Report{}
}

// registryPath returns the Path under one key, with its variables replaced; empty if there is none.
func registryPath(root registry.Key, path string) string {
	key, err := registry.OpenKey(root, path, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	value, kind, err := key.GetStringValue("Path")
	if err != nil {
		return ""
	}
	if kind == registry.EXPAND_SZ {
		if expanded, err := registry.ExpandString(value); err == nil {
			return expanded
		}
	}
	return value
}
