package scenarios

// memo remembers what was made of what. Most files make one thing of each kind,
// which needs no map.
type memo[K comparable, V any] struct {
	key    K
	value  V
	filled bool
	rest   map[K]V
}

func (m *memo[K, V]) get(key K) (V, bool) {
	if m.filled && m.key == key {
		return m.value, true
	}
	v, ok := m.rest[key]
	return v, ok
}

// put remembers v and returns it.
func (m *memo[K, V]) put(key K, v V) V {
	switch {
	case !m.filled:
		m.key, m.value, m.filled = key, v, true
	case m.rest == nil:
		m.rest = map[K]V{key: v}
	default:
		m.rest[key] = v
	}
	return v
}
