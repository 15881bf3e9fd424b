package model

// Choice identifies a toolbox or a server by name. The window keeps its selection as a Choice, which stays valid when other parts of the
// configuration change.
type Choice struct {
	Toolbox string
	Server  string // empty for the toolbox as a whole
}

// Tool is one tool of a server, as far as the screens need to know it.
type Tool struct {
	Name  string
	Bytes int // the size of its definition, as JSON
}
