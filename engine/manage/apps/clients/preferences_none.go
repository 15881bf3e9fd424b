//go:build headless && !darwin

package clients

import "errors"

// parsePreferences is only needed on Macs. Headless programs for other systems leave out the readers of
// property lists and of XML, which take 200 kB.
func parsePreferences([]byte) (map[string]any, error) { return nil, errors.ErrUnsupported }
