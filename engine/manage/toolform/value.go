package toolform

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Value is what a field is filled in with. It belongs to whoever fills it in; [Value.Sent] tells whether it is part of the
// arguments.
type Value struct {
	Field *Field

	// Set is true once somebody has filled it in. One that is not shows its default.
	Set bool

	// Preset is set while the value is the schema's default.
	Preset bool

	// Omitted is set when it would be sent by itself, such as an empty list that is required, but the arguments that the form
	// was filled with leave it out.
	Omitted bool

	// Null is set when null is chosen, of a field that is Nullable.
	Null bool

	// Raw is set when the value is written as JSON in Text though the field could be a form, because what it was filled with
	// does not fit the field.
	Raw bool

	Text   string   // of text, numbers and raw JSON, as typed
	On     bool     // of KindBoolean
	Choice int      // of KindChoice and KindUnion; -1 when nothing is chosen
	Items  []*Value // of KindArray and KindMap
	Keys   []string // of KindMap: the name of each item

	Members []*Value // of KindObject: one for each of its fields

	// Extra are members of an object that the form doesn't know, with their names. They are sent as they are.
	Extra []Member

	Branch *Value // of KindUnion: the chosen alternative, nil when none is
}

// Member is a named value that is kept as it is.
type Member struct {
	Name  string
	Value json.RawMessage
}

// value returns an empty value of a field, with its default.
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

// preset shows the default.
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

// Choose takes one of the alternatives of a union, or of the options of a choice; -1 takes none.
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

// Remove takes out an item. The last one to go leaves an optional list unset.
func (v *Value) Remove(i int) {
	v.Items = slices.Delete(v.Items, i, i+1)
	if v.Field.Kind == KindMap {
		v.Keys = slices.Delete(v.Keys, i, i+1)
	}
	v.Set = len(v.Items) > 0
}

// Move puts an item at another place.
func (v *Value) Move(from, to int) {
	item := v.Items[from]
	v.Items = slices.Insert(slices.Delete(v.Items, from, from+1), to, item)
	v.Set = true
}

// Clear empties the value, as nobody had filled it in.
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

// append writes the value.
func (v *Value) append(dst []byte) []byte {
	if v.Raw || v.Field.Kind == KindRaw {
		if n, err := readNode([]byte(v.Text), false); err == nil {
			return n.appendTo(dst)
		}
		return append(dst, "null"...)
	}
	if v.Null {
		return append(dst, "null"...)
	}
	switch v.Field.Kind {
	case KindString, KindText:
		return append(dst, quote(v.Text)...)
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
			dst = append(append(dst, quote(v.Keys[i])...), ':')
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
		dst = append(append(dst, quote(name)...), ':')
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

// syntax collects what keeps the value from being written.
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
				say(words.New("toolform.name_twice", "Name", cut(strconv.Quote(v.Keys[i]))))
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

// missing collects the required members that are not there, for schemas that cannot be checked as a whole.
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

// fill returns a value of a field filled with JSON. What does not fit the field is kept as raw JSON.
func (f *Field) fill(n *node) *Value {
	v := f.value0()
	v.Set = true
	if n.kind == isNull && f.Nullable {
		v.Null = true
		return v
	}
	if !v.take(n) {
		v = f.value0()
		v.Set, v.Raw = true, f.Kind != KindRaw
		v.Text = pretty(n)
	}
	return v
}

// value0 is value without the default, which stands for what is not there.
func (f *Field) value0() *Value { return &Value{Field: f, Choice: -1} }

// take fills in JSON that fits; it tells whether it does.
func (v *Value) take(n *node) bool {
	f := v.Field
	switch f.Kind {
	case KindString, KindText:
		v.Text = n.text
		return n.kind == isString
	case KindNumber, KindInteger:
		v.Text = n.raw
		return n.kind == isNumber
	case KindBoolean:
		v.On = n.kind == isTrue
		return n.kind == isTrue || n.kind == isFalse
	case KindNull:
		return n.kind == isNull
	case KindChoice:
		text := string(n.json())
		v.Choice = slices.IndexFunc(f.Options, func(o Option) bool { return string(o.Value) == text })
		return v.Choice >= 0
	case KindUnion:
		return v.takeBranch(n)
	case KindArray, KindMap:
		if (n.kind == isArray) != (f.Kind == KindArray) || (n.kind != isArray && n.kind != isObject) {
			return false
		}
		for i, kid := range n.kids {
			v.Items = append(v.Items, f.Item.fill(kid))
			if f.Kind == KindMap {
				v.Keys = append(v.Keys, n.names[i])
			}
		}
		return true
	case KindObject:
		if n.kind != isObject {
			return false
		}
		for _, field := range f.Fields {
			if kid := n.get(field.Name); kid != nil {
				v.Members = append(v.Members, field.fill(kid))
				continue
			}
			member := field.value()
			member.Omitted = member.Sent()
			v.Members = append(v.Members, member)
		}
		for i, name := range n.names {
			if f.field(name) == nil {
				v.Extra = append(v.Extra, Member{name, n.kids[i].json()})
			}
		}
		return true
	}
	return false
}

// takeBranch takes the alternative that fits best: without raw parts and unknown members, else any that fits.
func (v *Value) takeBranch(n *node) bool {
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

// misfit counts what of a filled value its field does not show.
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

// pretty writes JSON over several lines, for people who edit it.
func pretty(n *node) string {
	value := jsontext.Value(n.json())
	if err := value.Indent(jsontext.WithIndent("  ")); err != nil {
		return string(n.json())
	}
	return string(value)
}

// Pretty writes JSON over several lines, with everything as it is spelled. What is not JSON, or is nested so deeply that it would
// be mostly space, stays as it is.
func Pretty(text json.RawMessage) string {
	if jsonrpc.Depth(text) > maxNesting {
		return string(text)
	}
	value := jsontext.Value(slices.Clone(text))
	if err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return string(text)
	}
	return string(value)
}

// place says where in the whole a value is, as people read it: names and numbers of entries.
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
