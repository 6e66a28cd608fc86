package mcp

// Next is what a client does after it has asked a server what it is.
type Next int

// The ways to go on.
const (
	// NextModern goes on in the version of the [Probe].
	NextModern Next = iota + 1
	// NextHandshake begins with [Initialize].
	NextHandshake
	// NextAgain asks again in the version of the [Probe].
	NextAgain
	// NextAuthorize asks a person to sign in first.
	NextAuthorize
)

// Probe is what a client has learned of a server.
type Probe struct {
	Next    Next
	Version string
	// Discovered is for NextModern.
	Discovered Discovered
}

// The errors of [ReadProbe].
const (
	ErrNoVersion failure = "mcp: the server speaks no version of the protocol that is spoken here"
	ErrStatus    failure = "mcp: the server does not work at the moment"
	ErrRedirect  failure = "mcp: the server redirects, which is not followed"
)

// ReadProbe reads the response to a [Discover] in a modern version. The answer is the zero Message if
// the body is none of the protocol. again says that the server was asked a second time.
func ReadProbe(asked string, again bool, status int, answer Message) (Probe, error) {
	switch {
	case status == 401 || status == 403:
		return Probe{Next: NextAuthorize}, nil
	case answer.Result.Exists() && status < 300:
		return probeResult(answer.Result)
	case answer.Error != nil:
		return probeError(asked, again, answer.Error)
	case 300 <= status && status < 400:
		return Probe{}, ErrRedirect
	case status == 429 || status >= 500:
		return Probe{}, ErrStatus
	}
	return Probe{Next: NextHandshake, Version: LegacyVersion}, nil
}

func probeResult(v Value) (Probe, error) {
	if !v.Get("supportedVersions").Exists() { // some legacy servers answer whatever they are asked
		return Probe{Next: NextHandshake, Version: LegacyVersion}, nil
	}
	d, err := ParseDiscovered(v)
	if err != nil {
		return Probe{}, err
	}
	version := Choose(d.Versions)
	switch {
	case version == "":
		return Probe{}, ErrNoVersion
	case Modern(version):
		return Probe{Next: NextModern, Version: version, Discovered: d}, nil
	}
	return Probe{Next: NextHandshake, Version: version}, nil
}

// probeError takes every error for that of a legacy server that is none of the modern ones. A server
// that refuses a version and lists it may be one of several behind an address, so it is asked again,
// once.
func probeError(asked string, again bool, e *Error) (Probe, error) {
	switch e.Code {
	case CodeHeader, CodeCapability:
		return Probe{}, e
	case CodeVersion:
	default:
		return Probe{Next: NextHandshake, Version: LegacyVersion}, nil
	}
	version := Choose(e.Supported())
	switch {
	case version == "" || again && version == asked:
		return Probe{}, ErrNoVersion
	case Modern(version):
		return Probe{Next: NextAgain, Version: version}, nil
	}
	return Probe{Next: NextHandshake, Version: version}, nil
}
