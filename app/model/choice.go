package model

// Choice identifies a toolbox or a server by name. The selection is a Choice, so it survives other changes of the configuration.
type Choice struct {
	Toolbox string
	Server  string // empty for the toolbox as a whole
}

// Tool is one tool of a server, as far as the screens need to know it.
type Tool struct {
	Name  string
	Bytes int // the size of its definition, as JSON
}
