//go:build darwin || !headless

package clients

import "howett.net/plist"

// parsePreferences reads what a Mac's management has set for an app.
func parsePreferences(source []byte) (map[string]any, error) {
	var settings map[string]any
	_, err := plist.Unmarshal(source, &settings)
	return settings, err
}
