package imports

import "slices"

// Of is what a plan that was carried out says of one client: the entries that it has itself though their servers are here. The later plan, made
// since, names what would come again: that is not in a toolbox any more, so the client still needs its own.
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

// origins are all places that have a server, the one it comes from first.
func (f *Found) origins() []Origin { return append([]Origin{f.Origin}, f.Same...) }

// at is an origin without what stands there.
func (o Origin) at() Origin {
	o.seen = ""
	return o
}
