// Package toolform turns the JSON Schema of a tool's arguments into a form that people can fill in, and the filled form
// into exactly the JSON that is sent.
//
// [Parse] makes a [Form] of any bytes. What the form cannot show becomes a part that is written as JSON ([KindRaw]), and
// says why; nothing is ever fetched from elsewhere. [Form.New] gives the [Value] that a person fills in, [Form.Fill] makes
// it from existing arguments, [Form.Arguments] writes it, and [Form.Check] holds it against the whole schema.
//
// # What is sent
//
// Members are written in the order of the form, numbers and raw parts as they were typed. An optional member that nobody
// has touched is left out, its default included: the default is shown, but it is the server's to apply, and leaving it
// out is what an AI app does too. A required member with a default is sent with it. Members that the form doesn't know
// are kept and sent.
//
// # Hostile schemas
//
// The schema comes from a server. Its size, its depth and the number of fields are capped, references that lead back to
// themselves end as raw JSON, patterns are Go's, which take linear time, and a check that takes too many steps is given up.
package toolform
