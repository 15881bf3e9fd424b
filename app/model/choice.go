package model

// Choice is a toolbox or a server, by name. What is selected is one of these, so that it stays selected when the
// configuration changes around it.
type Choice struct {
	Toolbox string
	Server  string // empty: the toolbox as a whole
}

// Tool is one tool of a server, as far as the screens need to know it.
type Tool struct {
	Name  string
	Bytes int // the size of its definition, as JSON
}
