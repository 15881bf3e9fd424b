package clients

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// entry is an entry of a client's file, or one to be written.
type entry struct {
	name   string
	fields []client.Field // without slots
	slots  []client.Field // the fields whose values depend on this computer
	raw    string         // instead of fields: the value to write, as JSON
}

// entryFor fills in a client's form of an entry.
func entryFor(c Client, l Launch, name string) entry {
	e := entry{name: name}
	args := l.Args(c.ID)
	for _, field := range c.Shape {
		slot, ok := field.Value.(client.Slot)
		switch {
		case ok && slot == client.SlotCommand:
			field.Value = l.Program
		case ok && slot == client.SlotArgs:
			field.Value = args
		case ok && slot == client.SlotLine:
			field.Value = append([]string{l.Program}, args...)
		case ok && slot == client.SlotName:
			field.Value = name
		}
		e.fields = append(e.fields, field)
		if ok && slot != client.SlotName {
			e.slots = append(e.slots, field)
		}
	}
	return e
}

// command returns what an entry of a client's file starts. ok is false if the entry has no command.
func (c Client) command(value any) (command string, args []string, ok bool) {
	members, ok := value.(map[string]any)
	if !ok {
		return "", nil, false
	}
	texts := func(value any) []string {
		list, _ := value.([]any)
		var found []string
		for _, item := range list {
			text, _ := item.(string)
			found = append(found, text)
		}
		return found
	}
	for _, field := range c.Shape {
		switch value := members[field.Name]; field.Value {
		case client.SlotCommand:
			command, _ = value.(string)
		case client.SlotArgs:
			args = texts(value)
		case client.SlotLine:
			if line := texts(value); len(line) > 0 {
				command, args = line[0], line[1:]
			}
		}
	}
	return command, args, command != ""
}

// is reports whether an entry starts Workbench exactly as a launch does.
func (c Client) is(value any, l Launch) bool {
	command, args, ok := c.command(value)
	return ok && command == l.Program && slices.Equal(args, l.Args(c.ID))
}

// inline writes a value on one line as JSON, which is also valid YAML. texts writes its strings.
func inline(value any, texts func(string) string) string {
	switch value := value.(type) {
	case string:
		return texts(value)
	case bool:
		return strconv.FormatBool(value)
	case int:
		return strconv.Itoa(value)
	case []string:
		parts := make([]string, len(value))
		for i, text := range value {
			parts[i] = texts(text)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{}"
}
