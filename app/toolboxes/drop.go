package toolboxes

import (
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Landing is the place where something that is being dragged over the tree would go.
type Landing struct {
	// the toolbox or server before which it goes; a server goes to the end of the toolbox if Server is empty
	To   model.Choice
	Line int  // the row above which the line is drawn, or the number of rows to draw it below the last
	Into int  // the row of the toolbox that is marked because a server goes into it, or noRow
	Deep bool // the line is indented like the names of servers

	// Nothing reports that dropping changes nothing.
	Nothing bool
}

// noRow is used in place of a row number if there is no row.
const noRow = -1

// Land returns where a dragged thing goes if it is dropped at height y of the tree's content, whose rows all have the
// same height. It returns false if the thing cannot be dropped there. A toolbox goes between toolboxes, folded or not.
// A server goes between servers, or into a toolbox.
func (v View) Land(rows []Row, height float32, dragged model.Choice, y float32) (Landing, bool) {
	if len(rows) == 0 || !v.has(dragged) {
		return Landing{}, false
	}
	if dragged.Server == "" {
		return v.landToolbox(rows, height, dragged, y), true
	}
	return v.landServer(rows, height, dragged, y), true
}

// landToolbox places a toolbox above or below the one under the pointer, depending on which half of its rows the
// pointer is over.
func (v View) landToolbox(rows []Row, height float32, dragged model.Choice, y float32) Landing {
	over := rows[max(0, min(len(rows)-1, int(y/height)))].Toolbox
	first, after := len(rows), 0 // the rows of that toolbox
	for i, row := range rows {
		if row.Toolbox == over {
			first, after = min(first, i), i+1
		}
	}
	landing := Landing{Line: first, Into: noRow}
	next := over
	if y > float32(first+after)/2*height {
		landing.Line, next = after, over+1
	}
	if next < len(v.Toolboxes) {
		landing.To.Toolbox = v.Toolboxes[next].Name
	}
	from, _, _ := v.find(dragged)
	landing.Nothing = next == from || next == from+1
	return landing
}

// landServer places a server above or below the one under the pointer, depending on which half of the row the pointer
// is over. On the row of a toolbox the server goes to the end of the toolbox, and on the lower edge of that row, if
// the toolbox is unfolded, to its beginning.
func (v View) landServer(rows []Row, height float32, dragged model.Choice, y float32) Landing {
	i := max(0, min(len(rows), int(y/height)))
	half := y/height - float32(i)
	if i == len(rows) { // below all rows: to the end of the last toolbox
		i, half = i-1, 1
	}
	if y < 0 {
		half = 0
	}
	row := rows[i]
	toolbox := v.Toolboxes[row.Toolbox]
	landing := Landing{To: model.Choice{Toolbox: toolbox.Name}, Into: noRow, Deep: true}
	switch {
	case row.Server == noServer && half > 0.75 && i+1 < len(rows) && rows[i+1].Server != noServer:
		landing.To.Server = toolbox.Servers[rows[i+1].Server].Name
		landing.Line = i + 1
	case row.Server == noServer:
		landing.Into, landing.Line = i, noRow
	case half < 0.5:
		landing.To.Server = toolbox.Servers[row.Server].Name
		landing.Line = i
	default:
		if row.Server+1 < len(toolbox.Servers) {
			landing.To.Server = toolbox.Servers[row.Server+1].Name
		}
		landing.Line = i + 1
	}
	t, s, _ := v.find(dragged)
	if t == row.Toolbox {
		next := len(toolbox.Servers)
		if _, at, ok := v.find(landing.To); ok && at != noServer {
			next = at
		}
		landing.Nothing = next == s || next == s+1
	}
	return landing
}

// Drop returns the operations for a landing. If the thing may not go there, refused says why, and there are no
// operations.
func (v View) Drop(dragged model.Choice, landing Landing,
	copied bool) (ops []edit.Op, now model.Choice, refused string) {
	if landing.Nothing && !copied {
		return nil, dragged, ""
	}
	if dragged.Server == "" {
		return []edit.Op{edit.MoveToolbox{Name: dragged.Toolbox, At: edit.Position{Before: landing.To.Toolbox}}}, dragged, ""
	}
	return v.relocate(dragged, landing.To, copied)
}

// autoScroll returns the speed at which the tree scrolls while something is dragged near its upper or lower edge or
// beyond, in pixels a second. It is negative for scrolling up. y is the distance of the pointer from the top of the
// visible part, and height is the height of that part.
func autoScroll(y, height float32) float32 {
	const zone, fastest = 36, 1600
	speed := func(depth float32) float32 { return min(1, depth/zone*0.45+0.05) * fastest }
	switch {
	case y < zone:
		return -speed(zone - y)
	case y > height-zone:
		return speed(y - height + zone)
	}
	return 0
}
