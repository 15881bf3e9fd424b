package toolform

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Value is the content of a field. It belongs to the caller, who changes it. [Value.Sent] reports whether it
// is part of the arguments.
type Value struct {
	Field *Field

	// Set is true once somebody has filled in the value. Until then the default is shown.
	Set bool

	// Preset is set while the value is the schema's default.
	Preset bool

	// Omitted is set if the value would be sent anyway, such as a required empty list, but the arguments with
	// which the form was filled do not have it.
	Omitted bool

	// Null is set if null is chosen; the field is Nullable.
	Null bool

	// Raw is set if the value is written as JSON in Text because its content does not fit the field.
	Raw bool

	Text   string   // of text, numbers and raw JSON, as typed
	On     bool     // of KindBoolean
	Choice int      // of KindChoice and KindUnion; -1 if nothing is chosen
	Items  []*Value // of KindArray and KindMap
	Keys   []string // of KindMap: the name of each item

	Members []*Value // of KindObject: one for each field

	// Extra are the members of an object that the form does not know. They are sent unchanged.
	Extra []Member

	Branch *Value // of KindUnion: the chosen alternative; nil if there is none
}

// Member is a member of an object that is kept unchanged.
type Member struct {
	Name  string
	Value json.RawMessage
}

// value returns an empty value of a field, with the default.
func (f *Field) value() *Value {
	v := &Value{Field: f, Choice: -1}
	switch f.Kind {
	case KindObject:
		for _, field := range f.Fields {
			v.Members = append(v.Members, field.value())
		}
	case KindChoice:
		if len(f.Options) == 1 && (f.Required || f.Name == "") {
			v.Choice = 0
		}
	case KindUnion:
		if f.Required || f.Name == "" {
			v.Choose(0)
		}
	}
	if f.Default != nil {
		v.preset()
	}
	return v
}

// preset sets the value to the default.
func (v *Value) preset() {
	n, err := readNode(v.Field.Default, true)
	if err != nil {
		return
	}
	if filled := v.Field.fill(n); !filled.Raw {
		filled.Set, filled.Preset = false, true
		*v = *filled
	}
}

// Choose selects an alternative of a union or an option of a choice; -1 selects none.
func (v *Value) Choose(i int) {
	v.Choice = i
	if v.Field.Kind != KindUnion {
		return
	}
	v.Branch = nil
	if i >= 0 && i < len(v.Field.Alternatives) {
		v.Branch = v.Field.Alternatives[i].value()
		v.Branch.Set = true
	}
}

// Add appends an empty item to a list or a map and returns it.
func (v *Value) Add() *Value {
	item := v.Field.Item.value()
	item.Set = true
	if v.Field.Item.Kind == KindUnion && item.Branch == nil {
		item.Choose(0)
	}
	v.Items = append(v.Items, item)
	if v.Field.Kind == KindMap {
		v.Keys = append(v.Keys, "")
	}
	v.Set = true
	return item
}

// Remove removes an item. Removing the last item makes an optional list unset.
func (v *Value) Remove(i int) {
	v.Items = slices.Delete(v.Items, i, i+1)
	if v.Field.Kind == KindMap {
		v.Keys = slices.Delete(v.Keys, i, i+1)
	}
	v.Set = len(v.Items) > 0
}

// Move moves an item to another index.
func (v *Value) Move(from, to int) {
	item := v.Items[from]
	v.Items = slices.Insert(slices.Delete(v.Items, from, from+1), to, item)
	v.Set = true
}

// Clear resets the value to its initial state.
func (v *Value) Clear() { *v = *v.Field.value() }

// Sent reports whether the value is part of the arguments.
func (v *Value) Sent() bool {
	if v.Set {
		return true
	}
	if !v.Field.Required || v.Omitted {
		return false
	}
	if v.Preset || v.Null || v.Raw {
		return true
	}
	switch v.Field.Kind {
	case KindObject, KindArray, KindMap, KindBoolean, KindNull:
		return true
	case KindChoice:
		return v.Choice >= 0
	case KindUnion:
		return v.Branch != nil
	}
	return v.Text != ""
}

// append appends the value as JSON.
func (v *Value) append(dst []byte) []byte {
	if v.Raw || v.Field.Kind == KindRaw {
		if n, err := readNode([]byte(v.Text), false); err == nil {
			return append(dst, n.Compact()...)
		}
		return append(dst, "null"...)
	}
	if v.Null {
		return append(dst, "null"...)
	}
	switch v.Field.Kind {
	case KindString, KindText:
		return jsonrpc.AppendString(dst, v.Text)
	case KindNumber, KindInteger:
		return append(dst, strings.TrimSpace(v.Text)...)
	case KindBoolean:
		return strconv.AppendBool(dst, v.On)
	case KindChoice:
		if v.Choice >= 0 && v.Choice < len(v.Field.Options) {
			return append(dst, v.Field.Options[v.Choice].Value...)
		}
	case KindUnion:
		if v.Branch != nil {
			return v.Branch.append(dst)
		}
	case KindArray:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	case KindMap:
		dst = append(dst, '{')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonrpc.AppendString(dst, v.Keys[i]), ':')
			dst = item.append(dst)
		}
		return append(dst, '}')
	case KindObject:
		return v.appendObject(dst)
	}
	return append(dst, "null"...)
}

func (v *Value) appendObject(dst []byte) []byte {
	dst = append(dst, '{')
	first := true
	begin := func(name string) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsonrpc.AppendString(dst, name), ':')
	}
	for _, member := range v.Members {
		if member.Sent() {
			begin(member.Field.Name)
			dst = member.append(dst)
		}
	}
	for _, extra := range v.Extra {
		begin(extra.Name)
		dst = append(dst, extra.Value...)
	}
	return append(dst, '}')
}

// syntax collects the problems that keep the value from being written.
func (v *Value) syntax(problems *[]Problem) {
	say := func(message words.Text) { *problems = append(*problems, Problem{Value: v, Message: message}) }
	if v.Raw || v.Field.Kind == KindRaw {
		if _, err := readNode([]byte(v.Text), false); err != nil {
			say(words.Of(jsonError([]byte(v.Text), err)))
		}
		return
	}
	if v.Null {
		return
	}
	switch v.Field.Kind {
	case KindNumber, KindInteger:
		switch text := strings.TrimSpace(v.Text); {
		case text == "":
			*problems = append(*problems, Problem{Value: v, Message: words.New("toolform.needs_number"), Missing: true})
		case !isNumberText(text) && v.Field.Kind == KindInteger && v.Field.Minimum != "":
			say(words.New("toolform.whole_at_least", "Limit", v.Field.Minimum))
		case !isNumberText(text) && v.Field.Kind == KindInteger:
			say(words.New("toolform.type_integer"))
		case !isNumberText(text):
			say(words.New("toolform.number"))
		}
	case KindChoice:
		if v.Choice < 0 || v.Choice >= len(v.Field.Options) {
			*problems = append(*problems, Problem{Value: v, Message: words.New("toolform.needs_choice"), Missing: true})
		}
	case KindUnion:
		if v.Branch == nil {
			*problems = append(*problems, Problem{Value: v, Message: words.New("toolform.needs_choice"), Missing: true})
		} else {
			v.Branch.syntax(problems)
		}
	case KindArray:
		for _, item := range v.Items {
			item.syntax(problems)
		}
	case KindMap:
		for i, item := range v.Items {
			if slices.Contains(v.Keys[:i], v.Keys[i]) {
				say(words.New("toolform.name_twice", "Name", words.Quoted(cut(v.Keys[i]))))
			}
			item.syntax(problems)
		}
	case KindObject:
		for _, member := range v.Members {
			if member.Sent() {
				member.syntax(problems)
			}
		}
	}
}

// missing collects the required members that are missing. It is used for schemas that cannot be checked.
func (v *Value) missing(problems []Problem) []Problem {
	if v.Raw || v.Null {
		return problems
	}
	for _, member := range v.Members {
		switch {
		case member.Sent():
			problems = member.missing(problems)
		case member.Field.Required:
			problems = append(problems, Problem{Value: member, Message: words.New("toolform.needed"), Missing: true})
		}
	}
	for _, item := range v.Items {
		problems = item.missing(problems)
	}
	if v.Branch != nil {
		problems = v.Branch.missing(problems)
	}
	return problems
}

// fill returns a value of a field with the content of n. What does not fit the field becomes raw JSON.
func (f *Field) fill(n *jsonc.Node) *Value {
	v := f.withoutDefault()
	v.Set = true
	if n.Kind == jsonc.Null && f.Nullable {
		v.Null = true
		return v
	}
	if !v.take(n) {
		v = f.withoutDefault()
		v.Set, v.Raw = true, f.Kind != KindRaw
		v.Text = Pretty(asJSON(n))
	}
	return v
}

// withoutDefault returns an empty value of the field. It is used when the content is known and a missing part must
// stay missing.
func (f *Field) withoutDefault() *Value { return &Value{Field: f, Choice: -1} }

// take sets the value from JSON and reports whether it fits.
func (v *Value) take(n *jsonc.Node) bool {
	f := v.Field
	switch f.Kind {
	case KindString, KindText:
		v.Text = n.Str()
		return n.Kind == jsonc.String
	case KindNumber, KindInteger:
		v.Text = n.Raw()
		return n.Kind == jsonc.Number
	case KindBoolean:
		v.On = n.Kind == jsonc.True
		return n.Kind == jsonc.True || n.Kind == jsonc.False
	case KindNull:
		return n.Kind == jsonc.Null
	case KindChoice:
		v.Choice = slices.IndexFunc(f.Options, func(o Option) bool { return jsonc.Equal(o.node, n) })
		return v.Choice >= 0
	case KindUnion:
		return v.takeBranch(n)
	case KindArray, KindMap:
		if (n.Kind == jsonc.Array) != (f.Kind == KindArray) || (n.Kind != jsonc.Array && n.Kind != jsonc.Object) {
			return false
		}
		for _, kid := range n.Children {
			v.Items = append(v.Items, f.Item.fill(kid))
			if f.Kind == KindMap {
				v.Keys = append(v.Keys, kid.Key)
			}
		}
		return true
	case KindObject:
		if n.Kind != jsonc.Object {
			return false
		}
		for _, field := range f.Fields {
			if kid := n.LastMember(field.Name); kid != nil {
				v.Members = append(v.Members, field.fill(kid))
				continue
			}
			member := field.value()
			member.Omitted = member.Sent()
			v.Members = append(v.Members, member)
		}
		for _, kid := range n.Children {
			if f.field(kid.Key) == nil {
				v.Extra = append(v.Extra, Member{kid.Key, asJSON(kid)})
			}
		}
		return true
	}
	return false
}

// takeBranch chooses the best alternative: one without raw parts and unknown members, else any that fits.
func (v *Value) takeBranch(n *jsonc.Node) bool {
	best, least := -1, 0
	var branch *Value
	for i, alternative := range v.Field.Alternatives {
		filled := alternative.fill(n)
		if filled.Raw {
			continue
		}
		if cost := filled.misfit(); best < 0 || cost < least {
			best, least, branch = i, cost, filled
		}
	}
	v.Choice, v.Branch = best, branch
	return best >= 0
}

// misfit counts the parts of a filled value that its field does not show.
func (v *Value) misfit() int {
	count := len(v.Extra)
	if v.Raw {
		count++
	}
	for _, list := range [][]*Value{v.Members, v.Items} {
		for _, part := range list {
			count += part.misfit()
			if part.Field.Required && !part.Sent() {
				count++
			}
		}
	}
	if v.Branch != nil {
		count += v.Branch.misfit()
	}
	return count
}

// Pretty returns JSON on several lines, with every value spelled as before. Text that is not JSON, or is
// nested so deeply that it would be mostly white space, is returned unchanged.
func Pretty(text json.RawMessage) string {
	if jsonrpc.Depth(text) > maxNesting {
		return string(text)
	}
	value := jsontext.Value(slices.Clone(text))
	if err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)); err != nil {
		return string(text)
	}
	return string(value)
}

// place describes where a value is, for people: names, and numbers of entries.
func (v *Value) place(root *Value) string {
	if v == root || v == nil {
		return ""
	}
	for _, member := range root.Members {
		if member == v {
			return member.Field.Label()
		}
		if inner := v.place(member); inner != "" {
			return member.Field.Label() + " › " + inner
		}
	}
	for i, item := range root.Items {
		if item == v {
			return strconv.Itoa(i + 1)
		}
		if inner := v.place(item); inner != "" {
			return strconv.Itoa(i+1) + " › " + inner
		}
	}
	if root.Branch != nil {
		return v.place(root.Branch)
	}
	return ""
}
