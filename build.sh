#!/usr/bin/env bash
# The only description of the build. Usage: ./build.sh run | test | bench | soak | fuzz | build | deploy | screenshots
#
#   run     installs what is missing, builds, and serves the page and the agents at http://localhost:8787 on the
#           embedded demo model. PORT chooses the port, STATE the folder that keeps the objects' storage.
#           X_LOCAL_OBSERVABILITY=true has wrangler record traces, which it does by default and is slow.
#   test    runs every test.
#   bench   measures a bare Worker, Tributary and Cloudflare's SDK beside each other for half an hour, or only what is named
#           (./build.sh bench rows latency), prints a table with the goals, and writes build/bench.json.
#   soak    runs simulated worlds with new seeds, for 30 minutes or as many as are given. The first seed comes from the
#           clock. It fails when a world fails, and prints the command that runs that world again.
#   fuzz    runs every fuzz target for 30s each, or for a given time (./build.sh fuzz 5m). An input that fails is
#           kept in testdata/fuzz beside its target, as a seed of every later test.
#   build   makes internal/embedded and .tributary: two WebAssembly modules, the page, and the JavaScript engine if the
#           agents run scripts. It prints how long the modules take to start.
#   deploy  builds and runs wrangler deploy, with the arguments that follow, such as --dry-run. With --free as the first
#           argument it deploys two smaller Workers: the front door with the page, and the objects. The arguments that
#           follow are then for both, so one that is for a single Worker, such as --name, is refused.
#   screenshots makes the pictures in web/screenshots.
set -euo pipefail
cd "$(dirname "$0")"
export PATH="$PWD/node_modules/.bin:$PATH" # a Node that is new enough for wrangler comes with the packages
export WRANGLER_SEND_METRICS=false

packages() {
  # Not npm ci: it refuses a lock file that lacks the optional packages of other platforms, which a registry may not have.
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --no-audit --no-fund --loglevel=error
}

# tool is the tool of this repository's own project: see the package tributary.
tool() { go run ./wasm/cmd/tributary "$@"; }

# build makes .tributary. The page and the TypeScript come into it by way of what is embedded in the Go module.
build() {
  packages
  go run ./cmd/release
  tool build
  node worker/startup.ts
}

# budgets checks the sizes of the modules. Raise the limits if your agents need more. The shipped agents use every
# feature. Of 12,650 kB, 1,330 are for what came with workflows and actions: steps with attempts, signals, pause, restart,
# workflows that helpers begin, questions to people, actions that happen once, scopes, and their sections in the inspector.
# Compressed that is 190 of 2,950 kB. Another 560 kB, 110 compressed, are for code mode: the tool and its journal, the
# signatures of tools, the reader of the code that a model writes, and the prelude. Another 1,930 kB, 365 compressed, are
# for the Model Context Protocol: about a half for servers that agents use, with signing in and the servers of a root for
# its helpers, and a half for agents that are servers. The engine is beside the module, and
# only in a Worker whose agents run scripts.
budgets() {
  budget .tributary/agents.wasm 12650 2950
  budget .tributary/frontdoor.wasm 6900 1950
  budget internal/embedded/quickjs/quickjs.wasm 760 310
}

# budget FILE RAW GZIPPED: fails if a module is larger than its limits, in kB.
budget() {
  local raw zipped
  raw=$(($(wc -c <"$1") / 1000)) zipped=$(($(gzip -c "$1" | wc -c) / 1000))
  echo "$1: $raw kB, $zipped kB gzipped (at most $2 and $3)"
  [ "$raw" -le "$2" ] && [ "$zipped" -le "$3" ] || { echo "$1 is over its budget: see build.sh" >&2; exit 1; }
}

# free holds each of the two Workers that deploy --free deploys to 3 MB, compressed.
free() {
  local said zipped
  said=$(tool deploy --free -- --dry-run)
  for zipped in $(sed -n 's/^Total Upload:.*gzip: \([0-9]*\).*/\1/p' <<<"$said"); do
    echo "a Worker of --free: $zipped KiB gzipped (at most 2929)"
    [ "$zipped" -le 2929 ] || { echo "a Worker of .tributary/free is too large: see build.sh" >&2; exit 1; }
  done
  [ "$(grep -c '^Total Upload:' <<<"$said")" -eq 2 ] || { echo "$said: these are not two Workers" >&2; exit 1; }
}

deploy() {
  local free=()
  packages
  go run ./cmd/release
  if [ "${1-}" = --free ]; then
    free=(--free)
    shift
  fi
  tool deploy ${free[@]+"${free[@]}"} -- "$@"
}

run() {
  packages
  go run ./cmd/release
  tool dev -- "$@"
}

# browser installs Chromium if there is none: Playwright's own, or else Debian's package.
browser() {
  if [ -x /usr/bin/chromium ]; then return; fi
  if playwright install chromium >/dev/null 2>&1; then return; fi
  apt-get update -qq && apt-get install -y -qq chromium >/dev/null
}

lint() {
  local unformatted target
  go -C tools build -o ../build/ tool # gofumpt and staticcheck
  unformatted=$(build/gofumpt -l ./*.go client cmd durable e2e examples internal wasm worker)
  [ -z "$unformatted" ] || { echo "not gofumpt-clean: $unformatted" >&2; exit 1; }
  tool check
  for target in "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" wasip1/wasm js/wasm; do
    GOOS=${target%/*} GOARCH=${target#*/} go vet ./...
    GOOS=${target%/*} GOARCH=${target#*/} build/staticcheck ./...
  done
  biome check --error-on-warnings .
  for project in web wasm/shim worker e2e bench; do # wasm/tck is a part of wasm/shim's
    tsc -p "$project" --noEmit
  done
}

tests() {
  local module
  packages
  go run ./cmd/release -check
  tool build -free
  node worker/startup.ts
  budgets
  free
  browser
  lint
  # The simulation makes much garbage, and takes minutes while other tests run beside it.
  GOGC=400 go test -timeout 45m ./...
  # Modules of their own: for what these tests alone need, and the examples of projects.
  for module in wasm/examples/sdk durable/schedule/crontest durable/mcp/judge examples/research examples/headless; do
    go -C "$module" vet ./...
    go -C "$module" test ./...
  done
  for module in examples/*/; do
    go -C "$module" run . check
    go -C "$module" run . deploy -- --dry-run | grep '^Total Upload:'
  done
  node --test 'wasm/**/*.test.ts' 'worker/**/*.test.ts' 'bench/**/*.test.ts'
  vitest run --config e2e/vitest.config.ts
  playwright test
}

# targets prints the package and the name of every fuzz target.
targets() {
  go test -list '^Fuzz' ./... |
    awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }'
}

# fuzz [TIME]: continues after a target that fails, and lists the failed targets at the end. SQLite is not instrumented:
# no target tests it, and its instrumented compilation would take ten minutes and a gigabyte.
fuzz() {
  local all package target failed=()
  all=$(targets)
  while read -r package target; do
    go test -gcflags=modernc.org/...=-d=libfuzzer=0 "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${1:-30s}" || failed+=("$package $target")
  done <<<"$all"
  [ ${#failed[@]} -eq 0 ] || { printf '%s\n' "these fail, with inputs in testdata/fuzz:" "${failed[@]}" >&2; exit 1; }
}

command=${1-}
shift || true
case "$command" in
run) run "$@" ;;
test) tests ;;
bench)
  build
  node bench/run.ts "$@"
  ;;
soak) go run ./wasm/tck/cmd/soak -minutes "${1:-30}" ;;
fuzz) fuzz "$@" ;;
build) build ;;
deploy) deploy "$@" ;;
screenshots)
  build
  browser
  node e2e/pictures.ts
  ;;
*) sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
