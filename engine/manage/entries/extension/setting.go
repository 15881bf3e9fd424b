package extension

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind is the kind of a setting's value.
type Kind string

// The kinds of settings.
const (
	Text   Kind = "string"
	Number Kind = "number"
	Switch Kind = "boolean"
	Folder Kind = "directory"
	File   Kind = "file"
)

// Setting is a value that the user may or must fill in before the server is started.
type Setting struct {
	Name  string // its name in the manifest
	Kind  Kind
	Title string
	Hint  string // may be empty

	Required  bool
	Sensitive bool // a secret
	Multiple  bool // it takes several values

	// Default has the values of the setting until the user changes them, in the form of answers. See
	// [Extension.Server].
	Default []string

	Min, Max *float64 // for a number
}

// The reasons why a value is refused.
const (
	ErrNumber   = words.Code("extension.setting_no_number")
	ErrTooSmall = words.Code("extension.setting_too_small")
	ErrTooLarge = words.Code("extension.setting_too_large")
	ErrSwitch   = words.Code("extension.setting_no_switch")
)

// Check returns an error if a value cannot be used. A value with references is not checked, since they are
// resolved only when the server is started.
func (s Setting) Check(value string) error {
	if strings.Contains(value, "${") {
		return nil
	}
	switch s.Kind {
	case Number:
		number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil || math.IsInf(number, 0) || math.IsNaN(number):
			return ErrNumber
		case s.Min != nil && number < *s.Min:
			return ErrTooSmall
		case s.Max != nil && number > *s.Max:
			return ErrTooLarge
		}
	case Switch:
		if value != "true" && value != "false" {
			return ErrSwitch
		}
	}
	return nil
}

// option is a setting as the manifest has it.
type option struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Required    bool            `json:"required"`
	Default     json.RawMessage `json:"default"`
	Multiple    bool            `json:"multiple"`
	Sensitive   bool            `json:"sensitive"`
	Min         *float64        `json:"min"`
	Max         *float64        `json:"max"`
}

// maxDefault is the longest accepted default, in bytes.
const maxDefault = 4 << 10

// settings returns the settings in the order of the manifest.
func (m *manifest) settings(here System) ([]Setting, error) {
	var list []Setting
	for _, asked := range m.UserConfig {
		o := asked.value
		s := Setting{Name: asked.name, Kind: Kind(o.Type), Title: visible.Short(o.Title, 80),
			Hint:     visible.Short(o.Description, 400),
			Required: o.Required, Sensitive: o.Sensitive, Multiple: o.Multiple, Min: o.Min, Max: o.Max}
		if s.Title == "" {
			s.Title = visible.Short(s.Name, 80)
		}
		switch s.Kind {
		case Text, Number, Folder, File:
		case Switch:
			s.Multiple, s.Sensitive = false, false
		default:
			return nil, &Error{words.New("extension.setting_kind", "Setting", shown(s.Title), "Kind", shown(o.Type)),
				words.New("extension.newer_workbench")}
		}
		if s.Sensitive {
			s.Multiple = false // a keychain entry holds one secret
		}
		s.Default = defaults(o.Default, here)
		if !s.Multiple && len(s.Default) > 1 {
			s.Default = s.Default[:1]
		}
		if s.Kind == Switch && len(s.Default) == 0 {
			s.Default = []string{"false"}
		}
		list = append(list, s)
	}
	return list, nil
}

// defaults reads a default, which is one value or several.
func defaults(raw json.RawMessage, here System) []string {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var several []value
	if json.Unmarshal(raw, &several) != nil {
		var one value
		if json.Unmarshal(raw, &one) != nil {
			return nil
		}
		several = []value{one}
	}
	var list []string
	for _, v := range several[:min(len(several), maxWords)] {
		if len(v) > maxDefault || strings.IndexFunc(string(v), visible.Hidden) >= 0 {
			continue
		}
		var t template
		if text, err := t.one(string(v), here.variables()); err == nil && text != "" {
			list = append(list, text)
		}
	}
	return list
}
