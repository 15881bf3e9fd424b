package tryit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Table is a list of objects with the same few properties.
type Table struct {
	Columns []string
	Rows    [][]string // one text for each column; empty if a row lacks it
	More    int        // number of rows that were left out

	// Pairs says that the table is one flat object: each row is the name of a property and its value.
	Pairs bool
}

// Limits of a table. Larger lists are shown as JSON only, or with their first rows.
const (
	maxColumns = 12
	maxRows    = 500
)

// maxPairs is how many properties an object may have to be shown as pairs. maxPair is how long their values may be, in
// bytes.
const (
	maxPairs = 24
	maxPair  = 300
)

// readPairs returns an object as pairs, or nil if raw is not an object or has values that are not plain.
func readPairs(raw json.RawMessage) *Table {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	table := &Table{Columns: make([]string, 2), Pairs: true}
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	for decoder.PeekKind() != '}' {
		name, value, ok := readPlain(decoder)
		if !ok || len(value) > maxPair || len(table.Rows) == maxPairs {
			return nil
		}
		table.Rows = append(table.Rows, []string{name, value})
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table
}

// readPlain reads a member of an object. It fails if the value is an object or an array.
func readPlain(decoder *jsontext.Decoder) (name, value string, ok bool) {
	token, err := decoder.ReadToken()
	if err != nil {
		return "", "", false
	}
	name = token.String()
	token, err = decoder.ReadToken()
	if err != nil || token.Kind() == '{' || token.Kind() == '[' {
		return "", "", false
	}
	return name, token.String(), true
}

// readTable returns an array of flat objects as a table. The array may be the only member of an object. readTable
// returns nil for any other JSON.
func readTable(raw json.RawMessage) *Table {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	wrapped := false
	token, err := decoder.ReadToken()
	if err == nil && token.Kind() == '{' {
		wrapped = true
		if token, err = decoder.ReadToken(); err == nil && token.Kind() == '"' {
			token, err = decoder.ReadToken()
		}
	}
	if err != nil || token.Kind() != '[' {
		return nil
	}
	table := &Table{}
	for decoder.PeekKind() != ']' {
		if !table.readRow(decoder) {
			return nil
		}
	}
	if _, err := decoder.ReadToken(); err != nil || (wrapped && decoder.PeekKind() != '}') {
		return nil
	}
	if len(table.Rows) == 0 || len(table.Columns) == 0 {
		return nil
	}
	for i, row := range table.Rows {
		table.Rows[i] = append(row, make([]string, len(table.Columns)-len(row))...)
	}
	return table
}

func (t *Table) readRow(decoder *jsontext.Decoder) bool {
	token, err := decoder.ReadToken()
	if err != nil || token.Kind() != '{' {
		return false
	}
	row := make([]string, len(t.Columns))
	for decoder.PeekKind() != '}' {
		column, value, ok := readPlain(decoder)
		if !ok {
			return false
		}
		at := slices.Index(t.Columns, column)
		if at < 0 {
			if len(t.Columns) == maxColumns {
				return false
			}
			at = len(t.Columns)
			t.Columns, row = append(t.Columns, column), append(row, "")
		}
		row[at] = value
	}
	if _, err := decoder.ReadToken(); err != nil {
		return false
	}
	if len(t.Rows) == maxRows {
		t.More++
		return true
	}
	t.Rows = append(t.Rows, row)
	return true
}
