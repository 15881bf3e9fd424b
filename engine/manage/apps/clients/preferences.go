//go:build darwin || !headless

package clients

import "howett.net/plist"

// parsePreferences reads the preferences that the management of a Mac has set for an app.
func parsePreferences(source []byte) (map[string]any, error) {
	var settings map[string]any
	_, err := plist.Unmarshal(source, &settings)
	return settings, err
}
