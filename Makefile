# build   bin/harness, static and stripped
# test    everything that must hold: lint, all tests, a short fuzz
# suite   the shipped scenarios, by the program's own means of proof
# golden  rewrites the recorded outputs and lists what changed
# bench   measures speed and memory against yardsticks of the same run
# lint    formatting, go vet, staticcheck
# fmt     formats the Go files
# cross   builds for every supported system
#
# Needs Go, and git to stamp the revision. The race detector also needs a C
# compiler; without one the tests run without it, and say so.

# The tag drops validator's call of methods by name, which would keep the linker
# from dropping unused methods: two megabytes.
TAGS  := -tags=validator_novalidatefn
VCS   := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)
BUILD := CGO_ENABLED=0 go build -trimpath $(TAGS) -ldflags="-s -w" -buildvcs=$(VCS)

SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# The packages whose tests can rewrite what they compare with.
GOLDEN = $(shell grep -rl --include='*_test.go' 'flag[.]Bool."update"' internal | sed 's|^|./|; s|/[^/]*$$||' | sort -u)

# Go itself turns cgo off where there is no C compiler.
RACE = $(shell [ "$$(go env CGO_ENABLED)" = 1 ] && echo -race)

.NOTPARALLEL:
.PHONY: build test unit suite fuzz golden bench lint fmt cross $(SYSTEMS)

build:
	$(BUILD) -o bin/ ./cmd/harness

test: lint unit suite fuzz

unit:
	@[ -n "$(RACE)" ] || echo "no C compiler: tests run without the race detector"
	go test $(RACE) $(TAGS) ./...

suite: build
	bin/harness test scenarios --null-agent --repeat 3 --shuffle --unreferenced fail \
		--coverage-threshold 100 --excuses scenarios/excuses.yaml
	bin/harness mutate scenarios --threshold 100 --excuses scenarios/excuses.yaml

fuzz:
	.ci/fuzz

golden:
	go test $(TAGS) $(GOLDEN) -update
	-@git status --short -- docs schema scenarios internal

bench:
	go run $(TAGS) ./internal/bench

lint:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "run make fmt for:" $$unformatted; exit 1; }
	CGO_ENABLED=0 go vet $(TAGS) ./...
	CGO_ENABLED=0 go tool -modfile=.ci/tools.mod staticcheck $(TAGS) ./...

fmt:
	gofmt -w .

cross: $(SYSTEMS)

$(SYSTEMS):
	GOOS=$(@D) GOARCH=$(@F) $(BUILD) -o bin/harness-$(@D)-$(@F)$(if $(filter windows,$(@D)),.exe) ./cmd/harness
