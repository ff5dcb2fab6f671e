package vrepo

import (
	"fmt"
	"strings"
)

// removalFaults checks the removed paths and adds them to gone, which holds the
// changed ones. Their indexes start at base.
func (s *Snapshot) removalFaults(removed []string, base int, gone map[string]bool) []EntryFault {
	var faults []EntryFault
	for i, path := range removed {
		reason := ""
		if _, ok := s.File(path); !ok {
			reason = "is to be removed, but there is no such file"
		} else if gone[path] {
			reason = "is to be removed, and is named a second time"
		}
		gone[path] = true
		if reason != "" {
			faults = append(faults, EntryFault{Index: base + i, Other: -1, Path: path, Reason: reason})
		}
	}
	return faults
}

// named is a path that is already taken.
type named struct {
	path  string
	index int // of its entry, -1 for a file that was there before
}

// entryFaults checks the entries against each other and against the files that
// stay. Paths are compared as a file system may do that folds letter case and
// Unicode forms.
func entryFaults(entries []Entry, kept []*File) []EntryFault {
	if len(entries) == 0 {
		return nil
	}
	var faults []EntryFault
	taken := make(map[string]named, len(entries)+len(kept))
	for _, f := range kept {
		taken[foldPath(f.path)] = named{f.path, -1}
	}
	for i, e := range entries {
		if fault := CheckPath(e.Path); fault != nil {
			faults = append(faults, EntryFault{Index: i, Other: -1, Path: e.Path, Reason: fault.Reason, Hint: fault.Hint})
			continue
		}
		key := foldPath(e.Path)
		if other, ok := taken[key]; ok {
			faults = append(faults, twinFault(i, e.Path, other))
			continue
		}
		taken[key] = named{e.Path, i}
	}
	faults = append(faults, folderFaults(taken, entries, kept)...)
	return append(faults, folderTwins(entries, kept, faults)...)
}

// folderTwins finds entries below a folder that is another one's twin: a rule for
// the one would miss what lies in the other. Entries that have a fault already are
// passed over.
func folderTwins(entries []Entry, kept []*File, already []EntryFault) []EntryFault {
	passed := make(map[int]bool, len(already))
	for _, f := range already {
		passed[f.Index] = true
	}
	spelled := map[string]string{} // by folded spelling
	last := ""
	// twin is the spelling that a folder of the path already has; "" if none is
	// another. It notes those that are new.
	twin := func(path string) (ours, theirs string) {
		folder, _, _ := cutLast(path)
		if folder == last {
			return "", ""
		}
		key := ""
		for at := 0; at < len(folder); at++ {
			end := strings.IndexByte(folder[at:], '/')
			if end < 0 {
				end = len(folder) - at
			}
			key += foldPath(folder[at:at+end]) + "/"
			at += end
			if other, ok := spelled[key]; ok && other != folder[:at] {
				return folder[:at], other
			}
			spelled[key] = folder[:at]
		}
		last = folder
		return "", ""
	}
	for _, f := range kept {
		twin(f.path)
	}
	var faults []EntryFault
	for i, e := range entries {
		if passed[i] {
			continue
		}
		if ours, theirs := twin(e.Path); ours != "" {
			quoted, other, difference := Apart(ours, theirs)
			faults = append(faults, EntryFault{
				Index: i, Other: -1, Path: e.Path,
				Reason: fmt.Sprintf("lies in %s, which is the same folder as %s but for %s", quoted, other, difference),
				Hint:   "give the folder one spelling",
			})
		}
	}
	return faults
}

// cutLast cuts a path before its last segment.
func cutLast(path string) (folder, name string, found bool) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return "", path, false
	}
	return path[:at], path[at+1:], true
}

func twinFault(index int, path string, other named) EntryFault {
	fault := EntryFault{Index: index, Other: other.index, Path: path}
	if path == other.path {
		fault.Reason, fault.Hint = "is named twice", "keep one of the two"
		return fault
	}
	ours, theirs, difference := Apart(path, other.path)
	fault.Reason = fmt.Sprintf("is the same path as %s but for %s", theirs, difference)
	if ours != quoteText(path) {
		fault.Reason += ": it is spelled " + ours
	}
	fault.Hint = "rename one of the two: many file systems cannot hold both"
	return fault
}

// folderFaults finds files whose path is also the folder of another file. Every
// entry is looked at, and every kept file, whose folder an entry may have taken.
func folderFaults(taken map[string]named, entries []Entry, kept []*File) []EntryFault {
	var faults []EntryFault
	check := func(path string, index int) {
		key := foldPath(path)
		if owner, ok := taken[key]; !ok || owner.path != path || owner.index != index {
			return // refused above
		}
		for cut := strings.IndexByte(key, '/'); cut >= 0; {
			if folder, ok := taken[key[:cut]]; ok && (index >= 0 || folder.index >= 0) {
				faults = append(faults, folderFault(named{path, index}, folder))
			}
			next := strings.IndexByte(key[cut+1:], '/')
			if next < 0 {
				return
			}
			cut += 1 + next
		}
	}
	for _, f := range kept {
		check(f.path, -1)
	}
	for i, e := range entries {
		check(e.Path, i)
	}
	return faults
}

// folderFault reports the later of the two.
func folderFault(file, folder named) EntryFault {
	const hint = "a path names a file or a folder, not both"
	needed := headOf(file.path, strings.Count(folder.path, "/")+1)
	ours, theirs, difference := Apart(needed, folder.path)
	alike := ""
	if needed != folder.path {
		alike = ", the same but for " + difference
	}
	if folder.index > file.index {
		reason := fmt.Sprintf("is a file, and %s needs a folder of that name", quoteText(file.path))
		if alike != "" {
			reason = fmt.Sprintf("is a file, and %s needs the folder %s%s", quoteText(file.path), ours, alike)
		}
		return EntryFault{Index: folder.index, Other: file.index, Path: folder.path, Hint: hint, Reason: reason}
	}
	return EntryFault{
		Index: file.index, Other: folder.index, Path: file.path, Hint: hint,
		Reason: fmt.Sprintf("needs a folder where %s is a file%s", theirs, alike),
	}
}

// headOf is the first n segments of a path.
func headOf(path string, n int) string {
	end := -1
	for range n {
		next := strings.IndexByte(path[end+1:], '/')
		if next < 0 {
			return path
		}
		end += next + 1
	}
	return path[:end]
}
