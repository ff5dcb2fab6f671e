package model

// Items lists the answers in the order in which they are given; callers must not
// modify the list.
func (s *Script) Items() []Item { return s.items }
