package downstream

const unsupportedVersion = -32022

func isModernError(e *RPCError) bool { return false }
