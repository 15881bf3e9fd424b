//go:build headless && !darwin

package clients

import "errors"

// parsePreferences is for Macs, which alone have such files. A headless program for other systems does without the reader of property
// lists and of XML, which take 200 kB.
func parsePreferences([]byte) (map[string]any, error) { return nil, errors.ErrUnsupported }
