# The tasks of a day's work; CONTRIBUTING.md has the loop. What every change must pass is .ci/run.

# Ready sooner than what is shipped: as .ci/run builds.
QUICK := --profile quick
THREADS ?= 4

.DEFAULT_GOAL := help
.PHONY: help check lint format test test-one test-postgres run demo docs dist ci full

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | column -t -s '|'

check: ## does it compile?
	cargo check --workspace --all-targets $(QUICK)

lint: ## formatting, and clippy with warnings denied
	cargo fmt --all --check
	cargo clippy --workspace --all-targets $(QUICK) -- -D warnings

format: ## formats the source
	cargo fmt --all

test: ## all tests on SQLite
	cargo test $(QUICK) -- --test-threads $(THREADS)

test-one: ## one test binary: NAME=oidc, and some of its tests: ONLY=single_use
	@test -n "$(NAME)" || { echo "say which: make test-one NAME=oidc" >&2; exit 2; }
	cargo test $(QUICK) --test $(NAME) -- --test-threads $(THREADS) $(ONLY)

test-postgres: ## all tests on both databases; TEST_DATABASE_URL names a PostgreSQL
	@test -n "$$TEST_DATABASE_URL" || { echo "set TEST_DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME" >&2; exit 2; }
	cargo test $(QUICK) -- --include-ignored --test-threads $(THREADS)

run: ## the server, with demo data, on http://localhost:3001
	cargo run $(QUICK)

demo: ## the story, against the running server
	cargo run $(QUICK) -- demo

docs: ## the tests of the pages, and the documentation of the source
	cargo test $(QUICK) --test documentation
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace $(QUICK)

dist: ## archive, Debian package and image in target/dist, for x86-64 Linux with glibc 2.36 or later
	packaging/build

ci: ## what every change must pass
	.ci/run

full: ## what takes longer: PART=hostile, or all
	.ci/full $(PART)
