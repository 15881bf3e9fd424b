package environ

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sys/windows/registry"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// askSystem reads PATH from the registry, where installers write it: programs have the one from when they, or what started them,
// began. There is no shell to ask.
func askSystem(context.Context, []string, time.Duration) ([]variable, Report) {
	started := time.Now()
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
	report := Report{Took: time.Since(started)}
	if len(parts) == 0 {
		report.Problem = words.NewError("environ.no_path_in_registry")
		return nil, report
	}
	return []variable{{"Path", strings.Join(parts, ";")}}, report
}

// registryPath is the Path under one key, with the variables in it replaced; empty when there is none.
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
