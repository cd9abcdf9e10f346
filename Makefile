# A short front to Meson and ninja. Each target installs what is missing on
# Debian and Ubuntu first (scripts/install-deps says what and why).

BUILD  ?= build
PREFIX ?= /usr/local
CHECK  ?= build-check

.PHONY: all demo test test-browser bench coverage replay install uninstall check-all clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@scripts/install-deps build
	@meson setup $(BUILD) --prefix=$(PREFIX) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: all
	@scripts/demo $(BUILD)/tare

test:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@scripts/run-tests $(BUILD)

# Reports in headless Chromium, with screenshots in $(BUILD)/browser/shots.
test-browser: all
	@scripts/install-deps browser || true
	@scripts/test-browser $(BUILD) all

bench:
	@scripts/install-deps build bench
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@meson setup --reconfigure $(BUILD) >/dev/null
	@ninja -C $(BUILD) --quiet
	@bench/run $(BUILD)

coverage: all
	@$(BUILD)/tests/coverage/coverage-rates
	@$(BUILD)/tests/coverage/changepoint-rates
	@$(BUILD)/tests/coverage/replay-rates

# Stop rules on generated suites of known truth (docs/methods.md has the table), and on real series beside the checkout.
replay: all
	@scripts/replay $(BUILD)

install: all
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@ninja -C $(BUILD) --quiet
	@meson install -C $(BUILD) --no-rebuild --quiet

uninstall:
	@ninja -C $(BUILD) uninstall

# clang, -Werror, ASan + UBSan, clang-tidy and cppcheck, each on its own build folder.
check-all:
	@scripts/install-deps build test check
	@scripts/check-all $(CHECK)

clean:
	rm -rf $(BUILD) $(CHECK)-*
