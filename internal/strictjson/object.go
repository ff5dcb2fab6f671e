package strictjson

import "strconv"

// The functions here append a canonical object member by member, for writers
// that know their members' order: names must be given in canonical order, after
// an opening '{', and the writer appends the closing '}'. They build no values.

// AppendName appends a member's name, with a comma unless it is the first.
func AppendName(dst []byte, name string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendString(dst, name), ':')
}

// AppendText appends a member whose value is a string.
func AppendText(dst []byte, name, text string) []byte {
	return AppendString(AppendName(dst, name), text)
}

// AppendInt appends a member whose value is a whole number.
func AppendInt(dst []byte, name string, n int) []byte {
	return strconv.AppendInt(AppendName(dst, name), int64(n), 10)
}

// AppendBool appends a member whose value is true or false.
func AppendBool(dst []byte, name string, b bool) []byte {
	return strconv.AppendBool(AppendName(dst, name), b)
}

// Sorted is v with the members of every object in canonical order.
func Sorted(v Value) Value {
	switch v.kind {
	case Array:
		items := make([]Value, len(v.Items()))
		for i, item := range v.Items() {
			items[i] = Sorted(item)
		}
		return OfArray(items...)
	case Object:
		members := make([]Member, 0, len(v.Members()))
		for _, i := range canonicalOrder(nil, v.Members()) {
			m := v.Members()[i]
			members = append(members, Member{Name: m.Name, Value: Sorted(m.Value)})
		}
		return OfObject(members...)
	default:
		return v
	}
}
