package activity

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// exported is a call as it stands in a JSON file.
type exported struct {
	Time        time.Time       `json:"time"`
	Client      string          `json:"client"`
	Toolbox     string          `json:"toolbox"`
	Server      string          `json:"server"`
	Tool        string          `json:"tool"`
	Outcome     string          `json:"outcome"`
	Duration    float64         `json:"durationMs"`
	ResultBytes int             `json:"resultBytes"`
	Problem     string          `json:"problem,omitempty"`
	Arguments   json.RawMessage `json:"arguments,omitempty"`
}

// Encode writes calls as a file, in their order. Arguments are as masked as they are in the calls.
func Encode(format Format, calls []Call) ([]byte, error) {
	switch format {
	case CSV:
		return encodeCSV(calls)
	case JSON:
		return encodeJSON(calls)
	}
	return nil, fmt.Errorf("exporting calls: there is no format %q", format)
}

func encodeJSON(calls []Call) ([]byte, error) {
	list := make([]exported, 0, len(calls))
	for _, call := range calls {
		e := exported{
			Time: call.Started, Client: call.Client, Toolbox: call.Toolbox, Server: call.Server, Tool: call.Tool,
			Outcome: string(call.Outcome), Duration: milliseconds(call.Duration), ResultBytes: call.ResultBytes, Problem: kit.Say(call.Problem),
		}
		switch {
		case call.Arguments == "":
		case json.Valid([]byte(call.Arguments)):
			e.Arguments = json.RawMessage(call.Arguments)
		default: // cut short
			text, err := json.Marshal(call.Arguments)
			if err != nil {
				return nil, fmt.Errorf("exporting calls: %w", err)
			}
			e.Arguments = text
		}
		list = append(list, e)
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("exporting calls: %w", err)
	}
	return append(text, '\n'), nil
}

func encodeCSV(calls []Call) ([]byte, error) {
	var out bytes.Buffer
	writer := csv.NewWriter(&out)
	rows := [][]string{{"time", "client", "toolbox", "server", "tool", "outcome", "duration_ms", "result_bytes", "problem", "arguments"}}
	for _, call := range calls {
		rows = append(rows, []string{
			call.Started.Format(time.RFC3339Nano), cell(call.Client), cell(call.Toolbox), cell(call.Server), cell(call.Tool), string(call.Outcome),
			strconv.FormatFloat(milliseconds(call.Duration), 'f', -1, 64), strconv.Itoa(call.ResultBytes), cell(kit.Say(call.Problem)), cell(call.Arguments),
		})
	}
	if err := writer.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("exporting calls: %w", err)
	}
	return out.Bytes(), nil
}

// cell keeps spreadsheets from taking a text for a formula: names and problems come from servers.
func cell(text string) string {
	if text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@' || text[0] == '\t' || text[0] == '\r') {
		return "'" + text
	}
	return text
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
