# For OpenBench and for people: `make` builds for this machine's CPU, `make EXE=name` names the binary.
EXE ?= makara

# OpenBench on Windows gives a name without the suffix.
ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: all
all:
	cargo build --release --locked --package makara-protocol --bin makara
	cp "$(TARGET)/release/makara$(SUFFIX)" "$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)"
