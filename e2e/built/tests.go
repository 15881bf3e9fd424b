package built

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Tests runs the tests of a package in a home folder of their own, as AtHome does, and returns the exit
// status. Before that, prepare builds the program into a folder that is removed at the end. Reports of the
// race detector fail the tests.
func Tests(run func() int, prepare func(folder string) (*Program, error)) int {
	return AtHome(func(folder string) int {
		program, err := prepare(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		status := run()
		for _, race := range program.Races() {
			fmt.Fprintf(os.Stderr, "the race detector has found in the program:\n%s\n", race)
			status = 1
		}
		return status
	})
}

// AtHome calls run with a new folder and returns its result. The home folder is in that folder, see Home.
// Both are removed at the end.
func AtHome(run func(folder string) int) int {
	folder, err := os.MkdirTemp("", "workbench-tests-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "making a folder for the tests:", err)
		return 1
	}
	defer os.RemoveAll(folder)
	if err := Home(filepath.Join(folder, "home")); err != nil {
		fmt.Fprintln(os.Stderr, "making a home folder for the tests:", err)
		return 1
	}
	return run(folder)
}

// Home makes a folder and sets it as the home folder of this process and of those that it starts. Pins,
// approvals, logs and the history are then written there, and not among the files of the person who runs the
// tests. The caches of go and npm, and their settings, stay in use. The caller must remove the folder.
func Home(folder string) error {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOENV", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	variables := map[string]string{}
	if err := json.Unmarshal(out, &variables); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	person, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	for name, file := range map[string]string{"npm_config_cache": ".npm", "npm_config_userconfig": ".npmrc"} {
		if variables[name] = os.Getenv(name); variables[name] == "" {
			variables[name] = filepath.Join(person, file)
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	variables["HOME"], variables["USERPROFILE"] = folder, folder
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "WORKBENCH_CONFIG"} {
		variables[name] = "" // the usual places below the home folder
	}
	// Most tests read what the program says, in English.
	variables["LC_ALL"], variables["LANGUAGE"] = "C.UTF-8", ""
	for name, value := range variables {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}
