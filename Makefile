# For OpenBench and for people: `make` builds for this machine's CPU, `make EXE=name` names the binary.
EXE ?= makara

# OpenBench on Windows gives a name without the suffix.
ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: all pgo
all:
	cargo build --release --locked --package makara-protocol --bin makara
	cp "$(TARGET)/release/makara$(SUFFIX)" "$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)"

# The same, optimised by a profile of the bench: some 5 % faster. Needs `rustup component add llvm-tools`.
PROFILE := $(abspath $(TARGET))/pgo
LLVM_PROFDATA ?= $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata) llvm-profdata)
FLAGS := $(or $(RUSTFLAGS),-C target-cpu=native)

pgo:
	rm -rf "$(PROFILE)/raw"
	RUSTFLAGS="$(FLAGS) -C profile-generate=$(PROFILE)/raw" \
		cargo build --release --locked --package makara-protocol --bin makara --target-dir "$(PROFILE)/measured"
	"$(PROFILE)/measured/release/makara$(SUFFIX)" bench > /dev/null
	"$(LLVM_PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)/raw"
	RUSTFLAGS="$(FLAGS) -C profile-use=$(PROFILE)/merged.profdata" \
		cargo build --release --locked --package makara-protocol --bin makara --target-dir "$(PROFILE)/used"
	cp "$(PROFILE)/used/release/makara$(SUFFIX)" "$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)"
