package clients

import (
	"errors"

	"golang.org/x/sys/windows/registry"
)

// registryValues returns the values of a key. Only strings and numbers are returned, since no rule has
// another type.
func registryValues(user bool, name string) (map[string]any, error) {
	root := registry.LOCAL_MACHINE
	if user {
		root = registry.CURRENT_USER
	}
	key, err := registry.OpenKey(root, name, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer key.Close()
	all, err := key.ReadValueNames(0)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, value := range all {
		switch _, kind, _ := key.GetValue(value, nil); kind {
		case registry.DWORD, registry.QWORD:
			if number, _, err := key.GetIntegerValue(value); err == nil {
				values[value] = number
			}
		case registry.SZ, registry.EXPAND_SZ:
			if text, _, err := key.GetStringValue(value); err == nil {
				values[value] = text
			}
		}
	}
	return values, nil
}
