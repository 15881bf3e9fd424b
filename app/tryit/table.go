package tryit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Table is a list of things with the same few properties.
type Table struct {
	Columns []string
	Rows    [][]string // one text for each column, empty where a row has none
	More    int        // rows that are not here

	// Pairs is set for one flat object: each row is the name of a property and its value.
	Pairs bool
}

// Caps of a table. The JSON that it was made of has all of it.
const (
	maxColumns = 12
	maxRows    = 500
)

// maxPairs is how many properties of one object are shown as pairs, maxPair how long their values may be.
const (
	maxPairs = 24
	maxPair  = 300
)

// readPairs makes pairs of an object whose properties are plain values, and gives nil for anything else.
func readPairs(raw json.RawMessage) *Table {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	table := &Table{Columns: make([]string, 2), Pairs: true}
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil
		}
		pair := []string{name.String(), ""}
		value, err := decoder.ReadToken()
		if err != nil || value.Kind() == '{' || value.Kind() == '[' {
			return nil
		}
		if pair[1] = value.String(); len(pair[1]) > maxPair || len(table.Rows) == maxPairs {
			return nil
		}
		table.Rows = append(table.Rows, pair)
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table
}

// readTable makes a table of an array of flat objects, or of an object that holds nothing but such an array. It gives nil
// when that is not what the JSON is.
func readTable(raw json.RawMessage) *Table {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
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
		name, err := decoder.ReadToken()
		if err != nil {
			return false
		}
		column := name.String()
		value, err := decoder.ReadToken()
		if err != nil || value.Kind() == '{' || value.Kind() == '[' {
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
		row[at] = value.String()
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
