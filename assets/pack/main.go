// Command pack makes the texts smaller for a package. It packs all texts into a folder, and writes overlay.json there, with which
// go build takes these for the files in assets/translations:
//
//	go run ./assets/pack FOLDER
//	go build -overlay FOLDER/overlay.json ./cmd/workbench-desktop
//
// It is started in the folder of the module. A build without the overlay has the files as they are.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./assets/pack FOLDER")
		os.Exit(2)
	}
	if err := pack(filepath.Join("assets", "translations"), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack packs the texts of one folder into another, which is made.
func pack(from, to string) error {
	from, err := filepath.Abs(from)
	if err == nil {
		to, err = filepath.Abs(to)
	}
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for _, file := range files {
		packed, err := packFile(from, file.Name())
		if err != nil {
			return err
		}
		written := filepath.Join(to, file.Name())
		if err := os.WriteFile(written, packed, 0o600); err != nil {
			return err
		}
		replace[filepath.Join(from, file.Name())] = written
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "overlay.json"), overlay, 0o600)
}

// englishOf returns "area.en.json" for "area.de.json", and "en.json" for "de.json".
func englishOf(name string) string {
	parts := strings.Split(name, ".")
	parts[len(parts)-2] = "en"
	return strings.Join(parts, ".")
}

func packFile(folder, name string) ([]byte, error) {
	texts, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	var known []byte
	if english := englishOf(name); english != name {
		if known, err = os.ReadFile(filepath.Join(folder, english)); err != nil {
			return nil, err
		}
	}
	return assets.Pack(texts, known)
}
