package activity

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Encode returns calls as a file in the given format, in the given order. Masked arguments stay masked.
func Encode(format Format, calls []model.Call) ([]byte, error) {
	switch format {
	case CSV:
		return encodeCSV(calls)
	case JSON:
		return encodeJSON(calls)
	}
	return nil, fmt.Errorf("exporting calls: there is no format %q", format)
}

func encodeJSON(calls []model.Call) ([]byte, error) {
	list := []json.RawMessage{} // not nil, which would be written as null
	columns := columns()
	for _, call := range calls {
		var members []jsonrpc.Member
		for _, c := range columns {
			if c.name == "" {
				continue
			}
			value := c.value(call)
			if value == nil {
				continue
			}
			text, err := json.Marshal(value)
			if err != nil {
				return nil, fmt.Errorf("exporting calls: %w", err)
			}
			members = append(members, jsonrpc.Member{Name: c.name, Value: text})
		}
		list = append(list, jsonrpc.AppendObject(nil, members))
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("exporting calls: %w", err)
	}
	return append(text, '\n'), nil
}

func encodeCSV(calls []model.Call) ([]byte, error) {
	var out bytes.Buffer
	rows := make([][]string, 1+len(calls))
	for _, c := range columns() {
		if c.name == "" {
			continue
		}
		rows[0] = append(rows[0], underscored(c.name))
		for i, call := range calls {
			rows[1+i] = append(rows[1+i], csvText(c.value(call)))
		}
	}
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		return nil, fmt.Errorf("exporting calls: %w", err)
	}
	return out.Bytes(), nil
}

// underscored changes "resultBytes" to "result_bytes".
func underscored(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// csvText returns a value as a field. Names and problems come from servers, so csvText makes sure that no spreadsheet
// reads them as a formula.
func csvText(value any) string {
	var text string
	switch value := value.(type) {
	case nil:
	case time.Time:
		text = value.Format(time.RFC3339Nano)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case int:
		return strconv.Itoa(value)
	case json.RawMessage:
		text = string(value)
	case string:
		text = value
	}
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
