package model

import "github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"

// Choice identifies a toolbox, or one of its servers, by name. The window keeps its selection as a Choice, which stays
// valid when other parts of the configuration change.
type Choice = edit.Target

// Tool is one tool of a server, as far as the screens need to know it.
type Tool struct {
	Name  string
	Bytes int // the size of its definition, as JSON
}
