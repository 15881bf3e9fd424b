// Package toolform turns the JSON Schema of a tool's arguments into a form for people, and the filled form
// into the exact JSON to send.
//
// [Parse] makes a [Form] from any bytes. A part of the schema that a form cannot show becomes a field that is
// written as JSON ([KindRaw]) . Nothing is fetched from elsewhere. [Form.New] returns the [Value]
// that a person fills in, [Form.Fill] makes one from existing arguments, [Form.Arguments] writes it, and
// [Form.Check] validates it against the whole schema.
//
// # What is sent
//
// Members are written in the order of the form. Numbers and raw parts are written as they were typed. An
// optional member that nobody has changed is not sent, even if it has a default: the default is shown, but
// the server applies it, and AI apps do not send it either. A required member with a default is sent with the
// default. Members that the form does not know are kept and sent.
//
// # Hostile schemas
//
// The schema comes from a server. Its size, its depth and its number of fields are limited, recursive
// references become raw JSON, patterns use Go's regular expressions, which take linear time, and a check with
// too many steps is stopped.
package toolform
