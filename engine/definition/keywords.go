package definition

import "strings"

// use is what the value of a keyword of JSON Schema has to be.
type use int

const (
	useSchema     use = iota + 1 // a schema, or true or false
	useSchemas                   // a list of schemas
	useSchemaMap                 // an object whose members are schemas
	useProperties                // the same, and each schema is an object
	useItems                     // a schema or, in older drafts, a list of schemas
	useEither                    // an object whose members are schemas or lists of names
	useNames                     // a list of names
	useNameLists                 // an object whose members are lists of names
	useType                      // the name of a type, or a list of them
	useNumber
	useCount // a whole number that is not negative
	useLimit // a number; in draft 4, true or false
	useFlag
	useText
	usePattern
	useReference
	useIdentity // names the schema for references
	useValues   // a list of any values, not empty
	useObject
	useOld // draft 4 or 2019-09, which newer programs refuse or misread
)

// useOf returns what the value of a keyword of JSON Schema has to be; 0 for keywords that no program checks.
func useOf(name string) use {
	switch name {
	case "additionalItems", "contains", "not", "if", "then", "else", "propertyNames", "additionalProperties",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return useSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return useSchemas
	case "properties":
		return useProperties
	case "patternProperties", "$defs", "definitions", "dependentSchemas":
		return useSchemaMap
	case "items":
		return useItems
	case "dependencies":
		return useEither
	case "required":
		return useNames
	case "dependentRequired":
		return useNameLists
	case "type":
		return useType
	case "multipleOf", "maximum", "minimum":
		return useNumber
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties", "maxContains", "minContains":
		return useCount
	case "exclusiveMaximum", "exclusiveMinimum":
		return useLimit
	case "uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable":
		return useFlag
	case "title", "description", "format", "$comment", "contentEncoding", "contentMediaType", "$schema":
		return useText
	case "pattern":
		return usePattern
	case "$ref", "$dynamicRef":
		return useReference
	case "$id", "$anchor", "$dynamicAnchor":
		return useIdentity
	case "enum", "examples":
		return useValues
	case "$vocabulary":
		return useObject
	case "id", "$async", "$recursiveRef", "$recursiveAnchor":
		return useOld
	}
	return 0
}

// holdsSchemas reports whether the value of a keyword has schemas in it.
func (u use) holdsSchemas() bool { return u >= useSchema && u <= useEither }

// typeName returns the name of a type in JSON Schema; "" if there is no such type. Servers that are written in
// Python often use its names.
func typeName(name string) string {
	switch name = strings.ToLower(name); name {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return name
	case "dict":
		return "object"
	case "list", "tuple":
		return "array"
	case "str", "text":
		return "string"
	case "float", "double":
		return "number"
	case "int":
		return "integer"
	case "bool":
		return "boolean"
	}
	return ""
}
