//go:build !windows

package clients

// registryValues returns nothing: only Windows has a registry.
func registryValues(bool, string) (map[string]any, error) { return nil, nil }
