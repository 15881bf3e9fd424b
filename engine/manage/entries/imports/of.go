package imports

import "slices"

// Of returns the part of a plan, after it was carried out, that concerns one client: the entries that the
// client has although their servers are in a toolbox. later is a new plan. A server that it would import
// again is no longer in a toolbox, so the client still needs its own entry.
func (p Plan) Of(client string, later Plan) Plan {
	again := func(o Origin) bool {
		return slices.ContainsFunc(later.Servers, func(f Found) bool {
			return slices.ContainsFunc(f.origins(), func(other Origin) bool { return other.at() == o.at() })
		})
	}
	others := func(o Origin) bool { return o.Client != client || again(o) }
	of := p
	of.Servers, of.Skipped = nil, nil
	for _, f := range p.Servers {
		origins := slices.DeleteFunc(f.origins(), others)
		if len(origins) > 0 {
			f.Origin, f.Same = origins[0], origins[1:]
			of.Servers = append(of.Servers, f)
		}
	}
	for _, s := range p.Skipped {
		if s.Here && !others(s.Origin) {
			of.Skipped = append(of.Skipped, s)
		}
	}
	return of
}

// origins returns all places that have the server, first the one that it is imported from.
func (f *Found) origins() []Origin { return append([]Origin{f.Origin}, f.Same...) }

// at returns the origin without the fingerprint of the entry.
func (o Origin) at() Origin {
	o.seen, o.keys, o.missed = "", "", ""

	return o
}
