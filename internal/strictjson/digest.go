package strictjson

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is a SHA-256 digest. The zero value means there is none.
type Digest [sha256.Size]byte

// DigestOf is the digest of v's canonical encoding, so members may stand in any
// order.
func DigestOf(v Value) Digest {
	const usual = 512 // bytes; enough for most actions, so one allocation
	return DigestBytes(AppendCanonical(make([]byte, 0, usual), v))
}

// DigestBytes is the digest of b.
func DigestBytes(b []byte) Digest { return sha256.Sum256(b) }

// String is 64 lowercase hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText is [Digest.String] as bytes.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// IsZero reports whether there is no digest.
func (d Digest) IsZero() bool { return d == Digest{} }
