// Command gen draws the icons of package assets from their SVG sources.
//
// It is pure Go on the rasteriser that Fyne itself uses, so drawing them again needs no tool that a build does
// not need anyway: go generate ./assets
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gen SOURCE-FOLDER TARGET-FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run draws every icon of the sheet whose sources are in the folder source into the folder target.
func run(source, target string) error {
	for _, picture := range sheet {
		data, err := picture.draw(source)
		if err != nil {
			return fmt.Errorf("drawing %s: %w", picture.name, err)
		}
		if err := os.WriteFile(filepath.Join(target, picture.name), data, 0o644); err != nil {
			return fmt.Errorf("writing an icon: %w", err)
		}
	}
	return nil
}
