package edit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// written is a list of operations as the files in testdata have it: each is an object with its name under
// "op", for example "add-server".
type written []edit.Op

// kinds are the types of all operations by name.
var kinds = func() map[string]reflect.Type {
	kinds := map[string]reflect.Type{}
	for _, op := range []edit.Op{
		edit.AddToolbox{}, edit.RenameToolbox{}, edit.MoveToolbox{}, edit.DuplicateToolbox{}, edit.RemoveToolbox{},
		edit.AddServer{}, edit.RenameServer{}, edit.MoveServer{}, edit.DuplicateServer{}, edit.RemoveServer{},
		edit.ReplaceServer{},
		edit.SetField{}, edit.ClearField{}, edit.RenameField{},
	} {
		kinds[kind(op)] = reflect.TypeOf(op)
	}
	return kinds
}()

// kind returns the name of an operation: "add-server" for AddServer.
func kind(op edit.Op) string {
	var b strings.Builder
	for i, r := range reflect.TypeOf(op).Name() {
		if i > 0 && r < 'a' {
			b.WriteByte('-')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

func (ops written) MarshalJSON() ([]byte, error) {
	list := make([]json.RawMessage, len(ops))
	for i, op := range ops {
		fields, err := json.Marshal(op)
		if err != nil {
			return nil, err
		}
		list[i] = fmt.Appendf(nil, `{"op":%q`, kind(op))
		if len(fields) > len("{}") {
			list[i] = append(list[i], ',')
		}
		list[i] = append(list[i], fields[1:]...)
	}
	return json.Marshal(list)
}

func (ops *written) UnmarshalJSON(data []byte) error {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*ops = nil
	for _, fields := range list {
		var name string
		if err := json.Unmarshal(fields["op"], &name); err != nil {
			return err
		}
		delete(fields, "op")
		if kinds[name] == nil {
			return fmt.Errorf("there is no operation %q", name)
		}
		text, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		op := reflect.New(kinds[name])
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(op.Interface()); err != nil {
			return err
		}
		*ops = append(*ops, op.Elem().Interface().(edit.Op))
	}
	return nil
}
