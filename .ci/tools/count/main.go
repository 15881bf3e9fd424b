// Command count prints how many lines of Go code there are below folders, without tests, comments and blank lines.
//
//	count folder...
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	for _, folder := range os.Args[1:] {
		lines, err := below(folder)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%7d  %s\n", lines, folder)
	}
}

// below returns the lines of code in all Go files below a folder that are not tests. Hidden folders are left out.
func below(folder string) (lines int, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		lines += code(source)
		return err
	})
	return lines, err
}

// code returns how many lines of a Go file contain something other than comments.
func code(source []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	counted := 0
	last := 0 // the last counted line
	for {
		position, kind, literal := s.Scan()
		if kind == token.EOF {
			return counted
		}
		if kind == token.SEMICOLON && literal == "\n" { // inserted by the scanner
			continue
		}
		first := file.Line(position)
		end := first + strings.Count(literal, "\n")
		counted += end - max(first, last+1) + 1
		last = end
	}
}
