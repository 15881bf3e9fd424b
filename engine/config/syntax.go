package config

type syntaxProblem struct {
	start, end    int
	at            *place
	message, hint string
}

func scanSyntax(body []byte) *syntaxProblem { return nil }
