package jsonc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSeesWhatVSCodeSees compares Parse with the parser of VS Code's settings on texts with several mistakes
// (testdata/vscode.js). Parse must find every mistake that VS Code's parser finds, and report each once.
func TestSeesWhatVSCodeSees(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "vscode.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text  string
		Wrong map[int]string // by line
		Seen  []int
	}
	if err := json.Unmarshal(content, &cases); err != nil {
		t.Fatal(err)
	}
	mistakes, seen, theirs := 0, 0, 0
	for _, c := range cases {
		d := Parse([]byte(c.Text))
		var lines []int
		for _, err := range d.Errors {
			line, _ := d.Position(err.Start)
			lines = append(lines, line)
		}
		// Something missing at the end of a line is reported at the beginning of the next line.
		near := func(line int, among []int) bool {
			return slices.Contains(among, line) || slices.Contains(among, line+1)
		}
		for line, mistake := range c.Wrong {
			mistakes++
			if near(line, c.Seen) {
				theirs++
			}
			if near(line, lines) {
				seen++
			} else if near(line, c.Seen) {
				t.Errorf("%s in line %d is not seen, only %v\n%s", mistake, line, lines, c.Text)
			}
		}
		if len(d.Errors) > len(c.Wrong) {
			t.Errorf("%d mistakes are called %d: %v, %v\n%s", len(c.Wrong), len(d.Errors), c.Wrong, lines, c.Text)
		}
	}
	t.Logf("of %d mistakes %d are seen, and %d by VS Code", mistakes, seen, theirs)
	if mistakes < 150 || theirs < 150 {
		t.Error("the test compares too few mistakes")
	}
}

// TestErrors checks which mistakes are reported for a text, and where.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, "b": [2,], /* c */}`: "",
		"\ufeff{} // c":                "",
		``:                             "ValueExpected 0-0",
		`{a: 1}`:                       "InvalidSymbol 1-2",
		`{'a': “b c”}`:                 "InvalidQuotes 1-4; InvalidQuotes 6-15",
		`{"a": npx -y x, "b": tru}`:    "InvalidSymbol 6-14; InvalidSymbol 21-24",
		`{"a": 01, "b": 1.}`:           "InvalidNumber 6-8; InvalidNumber 15-17",
		`{"a": 1 "b": 2}`:              "CommaExpected 8-11 after 7",
		`{"a" 1, "b" = 2, "c"}`: "ColonExpected 5-6 after 4; ColonExpected 12-13 after 11; ColonExpected 20-21 " +
			"after 20",
		`{"a": , "b": }`:                  "ValueExpected 6-7 after 5; ValueExpected 13-14 after 12",
		`[1,, 2]`:                         "ValueExpected 3-4 after 3",
		`{"a": 1; "b": 2}`:                "InvalidSymbol 7-8",
		`{{"a": 1}}`:                      "NameExpected 1-2",
		`{: 1}`:                           "NameExpected 1-2",
		`{"a": [1, 2, "b": 3}`:            "CommaExpected 16-17 after 16; CloseExpected 19-20 open 6",
		`{"a": [1, {"b": 2}`:              "CloseExpected 18-18 open 6; CloseExpected 18-18 open 0",
		`{"a": 1} }`:                      "EndOfTextExpected 9-10 after 8",
		"{\"a\": \"b,\n\"c\": 1}":         "UnexpectedEndOfString 6-8",
		`{"a": "C:\x\u00g0\ud800"}`:       "InvalidEscape 9-11; InvalidEscape 11-13; LoneSurrogate 17-23",
		"{\"a\": \"\t\", # c\n\"b\": 1}":  "InvalidCharacter 7-8; InvalidSymbol 11-14",
		"{\"a\":\u00a01}":                 "InvalidSymbol 5-7",
		"\"\xff\"":                        "InvalidUTF8 1-2",
		"/* c":                            "UnexpectedEndOfComment 0-4; ValueExpected 4-4",
		"// a\u2028b\n{}":                 "InvalidCharacter 4-7",
		strings.Repeat("[", MaxDepth+1):   "TooDeep 200-201",
		strings.Repeat("[],", MaxErrors):  "EndOfTextExpected 2-3 after 2",
		"{" + strings.Repeat(",", 100000): "1000 mistakes",
	} {
		d := Parse([]byte(text))
		var got []string
		for _, err := range d.Errors {
			if err.Code == CloseExpected && len(text) > MaxDepth {
				continue
			}
			said := fmt.Sprintf("%s %d-%d", codeNames()[err.Code], err.Start, err.End)
			if err.Open >= 0 {
				said += fmt.Sprintf(" open %d", err.Open)
			} else if slices.Contains([]Code{CommaExpected, ColonExpected, ValueExpected, EndOfTextExpected}, err.Code) &&
				err.After > 0 {
				said += fmt.Sprintf(" after %d", err.After)
			}
			got = append(got, said)
		}
		if len(got) == MaxErrors {
			got = []string{fmt.Sprint(MaxErrors, " mistakes")}
		}
		if said := strings.Join(got, "; "); said != want {
			t.Errorf("%.60q: %s, want %s", text, said, want)
		}
	}
}

func codeNames() map[Code]string {
	return map[Code]string{
		InvalidSymbol: "InvalidSymbol", InvalidNumber: "InvalidNumber", InvalidQuotes: "InvalidQuotes",
		InvalidCharacter: "InvalidCharacter",
		InvalidEscape:    "InvalidEscape", LoneSurrogate: "LoneSurrogate", InvalidUTF8: "InvalidUTF8",
		UnexpectedEndOfString:  "UnexpectedEndOfString",
		UnexpectedEndOfComment: "UnexpectedEndOfComment", NameExpected: "NameExpected", ColonExpected: "ColonExpected",
		ValueExpected: "ValueExpected",
		CommaExpected: "CommaExpected", CloseExpected: "CloseExpected", EndOfTextExpected: "EndOfTextExpected",
		TooDeep: "TooDeep", TooManyValues: "TooManyValues",
	}
}

// TestHuge parses texts that are made to be expensive.
func TestHuge(t *testing.T) {
	const size = 4 << 20
	for _, text := range []string{
		strings.Repeat("[", size), strings.Repeat("{\"a\":", size/5), strings.Repeat("1,", size/2),
		"[" + strings.Repeat("1,", size/2),
		strings.Repeat("'", size), strings.Repeat("/*", size/2), "\"" + strings.Repeat("\\", size),
		strings.Repeat("]", size), strings.Repeat("a ", size/2),
		strings.Repeat("\u2028", size/3), "//" + strings.Repeat("\u2028", size/3), strings.Repeat("\xff", size),
		"{" + strings.Repeat("“", size/3), strings.Repeat("{,", size/2),
		"[" + strings.Repeat("[]", size/2), strings.Repeat("\"\n", size/2), "[" + strings.Repeat("'a\"", size/3),
		"[" + strings.Repeat("‚x ", size/5) + "”x", "[" + strings.Repeat("`", size-1), strings.Repeat("#\n", size/2),
		"[" + strings.Repeat("//\n", size/3), strings.Repeat("{\"\":", size/4) + "[",
		"[" + strings.Repeat("\"\\u12\",", size/6), strings.Repeat("{\"a\"]", size/5),
		strings.Repeat("[{", size/2) + strings.Repeat("]}", size/2), "{" + strings.Repeat("a ", size/2),
	} {
		began := time.Now()
		d := Parse([]byte(text))
		// it takes less than half a second; it would take minutes if the time grew with the square
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%.20q took %v", text, took)
		}
		if err := wellFormed(d); err != nil || len(d.Errors) == 0 || len(d.Errors) > MaxErrors {
			t.Errorf("%.20q: %d mistakes, %v", text, len(d.Errors), err)
		}
	}
}
