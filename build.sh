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
#   build   makes build/: two WebAssembly modules and the page. It prints how long both modules take to start.
#   deploy  builds and runs wrangler deploy, with the arguments that follow, such as --dry-run. With --free as the first
#           argument it deploys two smaller Workers: the front door with the page, and the objects.
#   screenshots makes the pictures in web/screenshots.
set -euo pipefail
cd "$(dirname "$0")"
export PATH="$PWD/node_modules/.bin:$PATH" # a Node that is new enough for wrangler comes with the packages
export WRANGLER_SEND_METRICS=false

packages() {
  # Not npm ci: it refuses a lock file that lacks the optional packages of other platforms, which a registry may not have.
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --no-audit --no-fund --loglevel=error
}

# classes writes worker/classes.ts from the classes in Go, and fails if something is missing in wrangler.jsonc.
classes() { go run ./worker/cmd/classes "$@"; }

build() {
  packages
  classes
  mkdir -p build
  # The packages of wasm/noinline look at few bytes. Without inlining (-l) the module is smaller by a hundred kB.
  # shellcheck disable=SC2046 # no name has a space
  GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags='-s -w' \
    $(sed 's/.*/-gcflags=&=-l/' wasm/noinline) -o build/tributary.wasm ./wasm/cmd/tributary
  GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o build/frontdoor.wasm ./worker/cmd/frontdoor
  cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" build/
  node worker/startup.ts
  [ "${1-}" = modules ] || vite build --config web/vite.config.ts --logLevel warn
}

# budgets checks the sizes of the modules. Raise the limits if your agents need more.
budgets() {
  budget build/tributary.wasm 8950 2330
  budget build/frontdoor.wasm 6900 1950
}

# budget FILE RAW GZIPPED: fails if a module is larger than its limits, in kB.
budget() {
  local raw zipped
  raw=$(($(wc -c <"$1") / 1000)) zipped=$(($(gzip -c "$1" | wc -c) / 1000))
  echo "$1: $raw kB, $zipped kB gzipped (at most $2 and $3)"
  [ "$raw" -le "$2" ] && [ "$zipped" -le "$3" ] || { echo "$1 is over its budget: see build.sh" >&2; exit 1; }
}

# free writes the configurations of the two Workers that --free deploys, and holds each to 3 MB, compressed.
free() {
  local part zipped
  go run ./worker/cmd/free
  for part in agents door; do
    zipped=$(wrangler deploy -c "build/free/$part.json" --dry-run | sed -n 's/^Total Upload:.*gzip: \([0-9]*\).*/\1/p')
    echo "build/free/$part.json: ${zipped:=unknown} KiB gzipped (at most 2929)"
    [ "$zipped" -le 2929 ] || { echo "the Worker of build/free/$part.json is too large: see build.sh" >&2; exit 1; }
  done
}

# deploy: the objects come first, because the front door's bindings name their Worker.
deploy() {
  build
  if [ "${1-}" != --free ]; then wrangler deploy "$@"; return; fi
  shift
  free
  wrangler deploy -c build/free/agents.json "$@"
  wrangler deploy -c build/free/door.json "$@"
}

run() {
  build
  export X_LOCAL_OBSERVABILITY="${X_LOCAL_OBSERVABILITY-false}"
  echo "X_LOCAL_OBSERVABILITY=$X_LOCAL_OBSERVABILITY: with true, wrangler records traces of its own, and everything takes longer"
  wrangler dev --ip 127.0.0.1 --port "${PORT:-8787}" --inspector-port 0 --persist-to "${STATE:-.wrangler/state}" \
    --var TRIBUTARY_ENV:development "$@"
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
  unformatted=$(build/gofumpt -l durable internal wasm worker)
  [ -z "$unformatted" ] || { echo "not gofumpt-clean: $unformatted" >&2; exit 1; }
  go build -o build/wirevet ./durable/wire/cmd/wirevet
  # The analyser's own package is left out, because its tests import declarations that must not pass.
  go vet -vettool="$PWD/build/wirevet" $(go list ./... | grep -v /wire/travel)
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
  classes -check # before the build mends it
  build
  budgets
  free
  browser
  lint
  # The simulation makes much garbage, and takes minutes while other tests run beside it.
  GOGC=400 go test -timeout 30m ./...
  for module in wasm/examples/sdk durable/schedule/crontest; do # modules of their own, for what these tests alone need
    go -C "$module" vet ./...
    go -C "$module" test ./...
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
bench) build && node bench/run.ts "$@" ;;
soak) go run ./wasm/tck/cmd/soak -minutes "${1:-30}" ;;
fuzz) fuzz "$@" ;;
build) build ;;
deploy) deploy "$@" ;;
screenshots) build && browser && node e2e/pictures.ts ;;
*) sed -n '2,17s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
