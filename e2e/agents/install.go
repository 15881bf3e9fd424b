package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// install installs an agent's npm package into a folder of its own, unless it is installed already.
func install(ctx context.Context, cache string, a agent) error {
	folder := a.folder(cache)
	stamp := filepath.Join(folder, "installed")
	if _, err := os.Stat(stamp); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte("{\"private\": true}\n"), 0o644); err != nil {
		return err
	}
	spec := a.pkg + "@" + a.version
	fmt.Fprintln(os.Stderr, "installing", spec)
	npm := exec.CommandContext(ctx, "npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error",
		spec)
	if a.also != "" {
		npm.Args = append(npm.Args, a.also)
	}
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("installing %s: %w\n%s", spec, err, out)
	}
	return os.WriteFile(stamp, nil, 0o644)
}

// folder returns the folder of the agent in the cache.
func (a agent) folder(cache string) string {
	return filepath.Join(cache, filepath.Base(a.pkg)+"-"+a.version)
}

func (a agent) program(cache string) string {
	return filepath.Join(a.folder(cache), "node_modules", ".bin", a.bin)
}
