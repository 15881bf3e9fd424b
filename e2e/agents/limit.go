package main

import (
	"context"
	"fmt"
	"os"
)

// limits finds out how long a tool's result may be before each agent cuts it.
func (b *bench) limits(ctx context.Context, chosen []agent) error {
	b.tools, b.mode = 1, "proxy"
	longest := b.bytes
	if longest == 0 {
		longest = 400_000
	}
	for _, a := range chosen {
		all, cut := b.least, longest+1
		told := map[int]result{}
		for size := longest; cut-all > 50 && ctx.Err() == nil; size = (all + cut) / 2 {
			b.bytes = size
			r := b.try(ctx, a)
			if r.ResultBytes == 0 {
				return fmt.Errorf("%s: no result was seen with %d bytes: %v", a.name, size, r.Trouble)
			}
			told[size] = r
			fmt.Fprintf(os.Stderr, "%s: of %d bytes the model sees %d: %s\n", a.name, size, r.ResultSeen, r.ResultCut)
			if r.ResultCut == "all" {
				all = size
			} else {
				cut = size
			}
		}
		if all == longest {
			fmt.Printf("%s %s (%s): all of %d bytes\n", a.name, a.version, b.kind, longest)
			continue
		}
		fmt.Printf("%s %s (%s): all of %d bytes, of %d bytes %s (%d in all), of %d bytes %s (%d in all)\n", a.name,
			a.version, b.kind, all,
			cut, told[cut].ResultCut, told[cut].ResultSeen, longest, told[longest].ResultCut, told[longest].ResultSeen)
	}
	return ctx.Err()
}
