// Command pack makes texts and the font for emoji smaller for a package. It writes them to a folder, together with overlay.json, with
// which go build takes these texts for the files in assets/translations and adds the font as app/theme/emoji.otf:
//
//	go run ./assets/pack FOLDER
//	go build -overlay FOLDER/overlay.json -tags no_emoji,packed_emoji ./cmd/workbench-desktop
//
// It is started in the folder of the module. A build without the overlay has the texts as they are, and without the tags the font as
// Fyne has it.
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
	if err := pack(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack writes the packed files of a module to a folder, which it makes, and overlay.json beside them.
func pack(module, to string) error {
	module, err := filepath.Abs(module)
	if err == nil {
		to, err = filepath.Abs(to)
	}
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err != nil {
		return err
	}
	replace := map[string]string{}
	write := func(name string, packed []byte) error {
		replace[filepath.Join(module, name)] = filepath.Join(to, filepath.Base(name))
		return os.WriteFile(filepath.Join(to, filepath.Base(name)), packed, 0o600)
	}
	if err := packTexts(module, write); err != nil {
		return err
	}
	font, err := readEmoji()
	if err != nil {
		return err
	}
	if err := write(filepath.Join("app", "theme", "emoji.otf"), font); err != nil {
		return err
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "overlay.json"), overlay, 0o600)
}

// packTexts packs all texts of a module.
func packTexts(module string, write func(name string, packed []byte) error) error {
	folder := filepath.Join("assets", "translations")
	files, err := os.ReadDir(filepath.Join(module, folder))
	if err != nil {
		return err
	}
	for _, file := range files {
		packed, err := packFile(filepath.Join(module, folder), file.Name())
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, file.Name()), packed); err != nil {
			return err
		}
	}
	return nil
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
