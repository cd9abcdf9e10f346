# A short front to Meson and ninja. Each target installs what is missing on
# Debian and Ubuntu first (scripts/install-deps says what and why).

BUILD  ?= build
PREFIX ?= /usr/local
CHECK  ?= build-check

.PHONY: all demo test test-browser bench bench-quick coverage rates replay install uninstall check-all clean \
	cov deb check-deb check-start dist static cross-arm64

# What is installed; the tests and what measures tare itself are built by the targets that need them.
all: $(BUILD)/build.ninja
	@scripts/build $(BUILD) installed
	@scripts/man-links $(BUILD)
	@echo "$(BUILD)/tare is ready: PATH=$(abspath $(BUILD)):\$$PATH finds it and its man pages, 'make install' installs both"

$(BUILD)/build.ninja:
	@scripts/install-deps build
	@meson setup $(BUILD) --prefix=$(PREFIX) $$(scripts/libdir) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: $(BUILD)/build.ninja
	@scripts/build $(BUILD) installed bench/spin bench/neighbour
	@scripts/demo $(BUILD)/tare

test:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@scripts/run-tests $(BUILD)

# Reports in headless Chromium, with screenshots in $(BUILD)/browser/shots.
test-browser: all
	@scripts/build $(BUILD) all
	@scripts/install-deps browser || true
	@scripts/test-browser $(BUILD) all

bench:
	@scripts/install-deps build bench
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@meson setup --reconfigure $(BUILD) >/dev/null
	@scripts/build $(BUILD) all
	@bench/run $(BUILD) --output bench/RESULTS.md

# The short ones, under three minutes; nothing is written.
bench-quick:
	@scripts/install-deps build bench
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@scripts/build $(BUILD) all
	@bench/run $(BUILD) --quick

# Intervals and verdicts, the whole grid (docs/calibration.md): every CPU; what was broken off goes on.
coverage: all
	@scripts/build $(BUILD) all
	@$(BUILD)/tests/coverage/coverage-rates -c $(BUILD)/coverage.cells

# The simulations of docs/methods.md: change points, sessions, workloads, states, plans and fleets.
rates:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@meson setup --reconfigure $(BUILD) >/dev/null
	@scripts/build $(BUILD) all
	@$(BUILD)/tests/coverage/changepoint-rates
	@$(BUILD)/tests/coverage/replay-rates
	@$(BUILD)/tests/coverage/workload-rates
	@$(BUILD)/tests/coverage/state-rates
	@$(BUILD)/tests/coverage/warmup-rates
	@$(BUILD)/tests/coverage/plan-rates
	@$(BUILD)/tests/coverage/fleet-rates

# Stop rules on generated suites of known truth (docs/methods.md has the table), and on real series beside the checkout.
replay: all
	@scripts/build $(BUILD) all
	@scripts/replay $(BUILD)

# PREFIX, and DESTDIR for packagers. Shared libraries are found at once only after ldconfig, which root may run.
install: $(BUILD)/build.ninja
	@scripts/build $(BUILD) installed
	@meson setup --reconfigure $(BUILD) --prefix=$(PREFIX) $$(scripts/libdir) >/dev/null
	@ninja -C $(BUILD) --quiet installed >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@meson install -C $(BUILD) --no-rebuild --quiet
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig

uninstall:
	@scripts/uninstall $(BUILD)/meson-logs/install-log.txt

# Debian packages in build-deb; check-deb installs them in a clean Debian and uses them (root, debootstrap).
deb:
	@scripts/install-deps build test deb
	@scripts/make-deb $(BUILD)-deb

check-deb:
	@scripts/install-deps chroot
	@[ -n "$$(ls $(BUILD)-deb/*.deb 2>/dev/null)" ] || $(MAKE) --no-print-directory deb
	@scripts/check-deb $(BUILD)-deb $(BUILD)-chroot

# A tarball of the last commit, which is unpacked, built and tried.
dist: $(BUILD)/build.ninja
	@scripts/make-dist $(BUILD)

# One file that needs libc and libudev alone.
static:
	@scripts/install-deps build static
	@scripts/make-static $(BUILD)-static

# For arm64, with the unit tests under qemu-user, in a Debian of its own (root, debootstrap).
cross-arm64:
	@scripts/install-deps chroot
	@scripts/cross-arm64 $(BUILD)-arm64

# Every check that is dearer than the tests, each on its own build folder; CHECKS names some of them.
check-all:
	@scripts/install-deps build test check
	@scripts/check-all $(CHECK) $(CHECKS)

# Lays out the C files by .clang-format, which CI checks.
.PHONY: format
format:
	@scripts/install-deps check
	@scripts/format

# Which lines the tests run: a table, and a page in $(CHECK)-cov/lines.
cov:
	@scripts/install-deps build test cov
	@scripts/cov $(CHECK)-cov

# From git clone to a verdict, as a new user in a clean Debian (root, debootstrap).
check-start:
	@scripts/install-deps chroot
	@scripts/check-start $(BUILD)-chroot

clean:
	rm -rf $(BUILD) $(BUILD)-deb $(BUILD)-static $(BUILD)-chroot $(BUILD)-chroot-base $(BUILD)-arm64 $(CHECK)-*

# Every fuzz target for SECONDS seconds (clang), or those that TARGETS names; fuzz/README.md.
.PHONY: fuzz
SECONDS ?= 60
fuzz:
	@scripts/install-deps build check
	@[ -e $(CHECK)-fuzz/build.ninja ] || CC=clang CXX=clang++ meson setup $(CHECK)-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false >/dev/null
	@fuzz/run $(CHECK)-fuzz $(SECONDS) $(TARGETS)

# Every system call and allocation fails in turn (an hour), and 500 rounds of signals at random moments (a quarter).
# With sanitizers, which see leaks (hours): make check-all CHECKS=faults.
.PHONY: faults torture
faults: all
	@scripts/build $(BUILD) all
	@tests/faults/inject $(BUILD)/tests/faults/tare-faulty $(BUILD)/tests/programs

torture: all
	@scripts/build $(BUILD) all
	@tests/faults/torture $(BUILD)/tare $(BUILD)/tests/programs 200+200

# Hours: repeats and long trials, suites of other frameworks beside their own comparisons, what a fleet costs; what was broken off goes on.
.PHONY: proof
proof: all
	@scripts/install-deps bench adapters-all fleet
	@scripts/build $(BUILD) all
	@bench/run $(BUILD) --proof --output bench/PROOF.md

# Fleets on a Slurm on loopback in which something is killed at a random moment (a quarter of an hour).
.PHONY: torture-fleet
torture-fleet: all
	@scripts/install-deps fleet
	@tests/fleet/random-kills $(BUILD)/tare 30
