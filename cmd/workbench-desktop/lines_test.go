package main

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestLine is how many columns a line of code or prose may have, a tab being as wide as most editors show it. Lines
// end before 120 where that reads well.
const longestLine, tabWidth = 140, 4

// TestLinesEnd checks that lines of code and documents can be read without scrolling. A line may be longer because of
// a text in quotes, such as a pattern or JSON, and in a table or a block of code of a document.
func TestLinesEnd(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "*.go", "*.md").Output()
	if err != nil {
		t.Skip("not in a git repository, so the files are not known:", err)
	}
	for _, file := range strings.Fields(string(out)) {
		if strings.Contains(file, "testdata/") || file == "docs/diagnostics.md" || file == "docs/hostile.md" {
			continue // texts of the program, one a line, are written into these documents by tests
		}
		source, err := os.ReadFile("../../" + file)
		if err != nil {
			continue // it was removed and is not committed yet
		}
		may := longLinesOfMarkdown
		if strings.HasSuffix(file, ".go") {
			may = longLinesOfGo
		}
		excused := may(string(source))
		for i, line := range strings.Split(string(source), "\n") {
			wide := utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
			if wide > longestLine && !excused[i] {
				t.Errorf("%s:%d has %d columns, want %d at most", file, i+1, wide, longestLine)
			}
		}
	}
}

// longLinesOfGo returns the lines that are texts in quotes for the most part.
func longLinesOfGo(source string) map[int]bool {
	quoted, excused := map[int]int{}, map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			return excused
		}
		if kind != token.STRING {
			continue
		}
		first := file.Line(at) - 1
		for i, part := range strings.Split(text, "\n") {
			quoted[first+i] += utf8.RuneCountInString(part)
			excused[first+i] = quoted[first+i] > longestLine/2
		}
	}
}

// longLinesOfMarkdown returns the lines of tables, of blocks of code, and with a link, a picture or JSON.
func longLinesOfMarkdown(source string) map[int]bool {
	excused := map[int]bool{}
	inCode := false
	for i, line := range strings.Split(source, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		excused[i] = inCode || strings.HasPrefix(strings.TrimSpace(line), "|") || strings.Contains(line, "](") ||
			strings.HasPrefix(line, "<picture>") || strings.HasPrefix(strings.TrimSpace(line), "`{") ||
			strings.HasPrefix(line, "    ")
	}
	return excused
}
