package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// saves is how often the configuration is saved.
const saves = 100

// reload measures the time from an atomic save, as editors and Workbench make it, until the client reads
// notifications/tools/list_changed. The next save is made after the engine has applied the one before.
func (s *suite) reload() ([]row, error) {
	t := s.targets.reloading
	c, err := t.connect()
	if err != nil {
		return nil, err
	}
	defer c.close()
	var taken sample
	for i := range saves {
		c.guard.Reset(patience)
		config := oneToolbox([]string{"never-started"})
		config["toolboxes"].(map[string]any)["bench"].(map[string]any)["description"] = fmt.Sprintf("Version %d", i)
		took, err := saveAndWait(c, t.file, config)
		if err != nil {
			return nil, err
		}
		taken.add(took)
	}
	return []row{{What: "from a save of the file to list_changed", Unit: "ms", Engine: taken.milliseconds(),
		bar: atMostP95(barReload)}}, nil
}

// saveAndWait replaces the file and waits for the notification.
func saveAndWait(c *client, file string, config map[string]any) (time.Duration, error) {
	raw, err := json.Marshal(config)
	if err != nil {
		return 0, fmt.Errorf("writing the configuration: %w", err)
	}
	next := filepath.Join(filepath.Dir(file), "next.tmp")
	if err := os.WriteFile(next, raw, 0o600); err != nil {
		return 0, fmt.Errorf("writing the configuration: %w", err)
	}
	began := time.Now()
	if err := os.Rename(next, file); err != nil {
		return 0, fmt.Errorf("saving the configuration: %w", err)
	}
	for {
		line, err := c.stdout.ReadSlice('\n')
		if err != nil {
			return 0, c.failed("waiting for notifications/tools/list_changed", err)
		}
		switch {
		case bytes.Contains(line, []byte("notifications/tools/list_changed")):
			return time.Since(began), nil
		case !bytes.Contains(line, []byte("notifications/resources/list_changed")): // toolboxes are resources as well
			return 0, fmt.Errorf("instead of notifications/tools/list_changed came %s", line)
		}
	}
}
