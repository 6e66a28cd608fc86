#!/usr/bin/env bash
# The only description of the build. Usage: ./build.sh COMMAND
#
#   run     installs what is missing, builds, and serves the page and the agents at http://localhost:8787 on the
#           embedded demo model. PORT chooses the port, STATE the folder that keeps the objects' storage.
#           X_LOCAL_OBSERVABILITY=true has wrangler record traces, which it does by default and is slow.
#   check   is for before a commit, in three minutes: format, static checks, types, Go tests with -short, 100 simulated
#           worlds, sizes. ./build.sh check PATH… checks the packages of files and folders, and those that import them.
#   test    runs every test, in half an hour. Of what would take longer it runs what the hash of the commit draws: of
#           worlds, faults, moments of loss, scripts on further hosts. TRIBUTARY_DRAW=HASH repeats another commit's choice.
#   soak    runs simulated worlds with new seeds, for 30 minutes or as many as are given. The first seed comes from the
#           clock. It fails when a world fails, and prints the command that runs that world again.
#           ./build.sh soak all runs everything that test draws from: all faults, losses, hosts and examples.
#   mutants runs all faults that are put into the core, or those of a room (./build.sh mutants supervisor), and prints
#           what finds each.
#   bench   measures a bare Worker, Tributary and Cloudflare's SDK beside each other for half an hour, or only what is named
#           (./build.sh bench rows latency), prints a table with the goals, and writes build/bench.json.
#   fuzz    runs every fuzz target for 30s each, or for a given time (./build.sh fuzz 5m). An input that fails is
#           kept in testdata/fuzz beside its target, as a seed of every later test.
#   audit   asks govulncheck and npm what is known of the versions that are used. It ends with 1 if anything is known, and
#           with 2 if that could not be asked, of which it says what.
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

# part NAME COMMAND… runs a command that may take long: it tells what runs now, and what took how long. See cmd/part.
part() { build/part "$@"; }

# parts begins work that consists of parts, and prints at its end what each of them took.
parts() {
  go build -o build/part ./cmd/part
  part -begin
  trap 'part -table' EXIT
}

packages() {
  # Not npm ci: it refuses a lock file that lacks the optional packages of other platforms, which a registry may not have.
  [ node_modules/.package-lock.json -nt package-lock.json ] ||
    "$@" npm install --no-save --no-audit --no-fund --loglevel=error
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
# feature. Of 13,620 kB, 1,330 are for what came with workflows and actions: steps with attempts, signals, pause, restart,
# workflows that helpers begin, questions to people, actions that happen once, scopes, and their sections in the inspector.
# Compressed that is 190 of 3,160 kB. Another 560 kB, 110 compressed, are for code mode: the tool and its journal, the
# signatures of tools, the reader of the code that a model writes, and the prelude. Another 1,930 kB, 365 compressed, are
# for the Model Context Protocol: about a half for servers that agents use, with signing in and the servers of a root for
# its helpers, and a half for agents that are servers. Bounds of what others decide, and whose claims work is done with, may
# take 250 kB, 50 compressed. So may providers and servers as they are: what a provider wants back, failures in all shapes,
# and schemas that are made fit. The library of MessagePack has 520, 120 compressed. The engine is beside the module, and only in a Worker whose agents run scripts. These are the sizes that the linker leaves. A module that has started, with
# its data in few segments, has 1,330 kB more, and the front door 670 kB; compressed they have 100 and 115 kB less.
budgets() {
  budget .tributary/linked/agents.wasm 13700 3160
  budget .tributary/linked/frontdoor.wasm 6900 1950
  budget .tributary/agents.wasm 15000 3060
  budget .tributary/frontdoor.wasm 7570 1835
  budget internal/embedded/quickjs/quickjs.wasm 760 310
}

# budget FILE RAW GZIPPED: fails if a module is larger than its limits, in kB.
budget() {
  local raw zipped
  raw=$(($(wc -c <"$1") / 1000)) zipped=$(($(gzip -c "$1" | wc -c) / 1000))
  echo "$1: $raw kB, $zipped kB gzipped (at most $2 and $3)"
  [ "$raw" -le "$2" ] && [ "$zipped" -le "$3" ] || { echo "$1 is over its budget: see build.sh" >&2; exit 1; }
}

# free checks that a new project fits the old limit of the Free plan. Deploy refuses a Worker that is larger.
free() {
  local said
  said=$(go -C examples/starter run . deploy --free -- --dry-run)
  grep '^Total Upload:' <<<"$said"
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
  # The tool says so too, but behind the packages and the page.
  if [[ " $*" != *" --port"* ]] && (exec 3<>"/dev/tcp/127.0.0.1/${PORT:-8787}") 2>/dev/null; then
    echo "port ${PORT:-8787} is taken: choose another one, as in PORT=$((${PORT:-8787} + 1)) ./build.sh run" >&2
    exit 1
  fi
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

# tools builds gofumpt and staticcheck.
tools() { part tools go -C tools build -o ../build/ tool; }

# formatted [FOLDER…] checks the format of the Go files.
formatted() {
  local unformatted
  unformatted=$(build/gofumpt -l "$@")
  [ -z "$unformatted" ] || { echo "not gofumpt-clean: $unformatted" >&2; exit 1; }
}

# special GOOS GOARCH prints the packages of which a target compiles other files than this machine does.
special() {
  local files='{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}'
  comm -13 <(go list -f "$files" ./... | sort) <(GOOS=$1 GOARCH=$2 go list -e -f "$files" ./... | sort) | cut -d' ' -f1
}

# typescript checks all of it: format, lint, types.
typescript() {
  local project
  part biome biome check --error-on-warnings .
  for project in web wasm/shim worker e2e bench; do # wasm/tck is a part of wasm/shim's
    part "types of $project" tsc -p "$project" --noEmit
  done
}

lint() {
  local target packages
  tools
  formatted ./*.go client cmd durable e2e examples internal wasm worker
  part "go vet" go vet ./...
  part wirevet go run ./wasm/cmd/tributary check
  part staticcheck build/staticcheck ./...
  for target in wasip1/wasm js/wasm; do
    packages=$(special "${target%/*}" "${target#*/}")
    # shellcheck disable=SC2086
    GOOS=${target%/*} GOARCH=${target#*/} part "go vet for $target" go vet -trimpath $packages # as the modules are built
    # shellcheck disable=SC2086
    GOOS=${target%/*} GOARCH=${target#*/} part "staticcheck for $target" build/staticcheck $packages
  done
  typescript
}

# affected PATH… prints the packages of files and folders, and those that import them, also for their tests.
affected() {
  local path
  for path in "$@"; do
    [ -d "$path" ] || path=$(dirname "$path")
    go list -e -f '{{if .GoFiles}}{{.ImportPath}}{{else if .TestGoFiles}}{{.ImportPath}}{{else if .XTestGoFiles}}{{.ImportPath}}{{end}}' "./$path/..." 2>/dev/null
  done | sort -u >build/touched
  go list -test -f '{{or .ForTest .ImportPath}}|{{join .Deps " "}}' ./... | awk -F'|' '
    NR == FNR { touched[$1] = 1; print $1; next }
    { sub(/\.test$/, "", $1); n = split($2, deps, " "); for (i = 1; i <= n; i++) if (deps[i] in touched) { print $1; next } }
  ' build/touched - | sort -u
}

# check [PATH…] checks everything in short, or what the paths can have changed.
check() {
  local affected=(./...) folders=(./*.go client cmd durable e2e examples internal wasm worker) path
  parts
  packages part packages
  tools
  if [ $# -gt 0 ]; then
    mapfile -t affected < <(affected "$@")
    folders=()
    for path in "$@"; do
      if [ -d "$path" ] || [[ $path = *.go ]]; then folders+=("$path"); fi
    done
  else
    part "made files" go run ./cmd/release -check
    part build go run ./wasm/cmd/tributary build
    budgets
  fi
  if [ ${#folders[@]} -gt 0 ]; then formatted "${folders[@]}"; fi
  if [ $# -eq 0 ] || [[ " $*" =~ \ (\./)?(web|worker|wasm|e2e|bench) ]]; then typescript; fi
  if [ ${#affected[@]} -gt 0 ]; then
    part "go vet" go vet "${affected[@]}"
    part "go test" go test -short "${affected[@]}"
  fi
}

quiet=--disable-warning=ExperimentalWarning # Node's SQLite is one

# nodetests runs what Node tests itself, and clients what vitest does: the page, and the published client before wrangler.
nodetests() {
  part "modules of node" node wasm/tck/worker/build.ts
  NODE_OPTIONS=$quiet part node node --test --test-concurrency=2 --test-reporter=./e2e/report/node.ts \
    'wasm/**/*.test.ts' 'worker/**/*.test.ts' 'bench/**/*.test.ts'
}
clients() { NODE_OPTIONS=$quiet part clients vitest run --config e2e/vitest.config.ts --reporter=./e2e/report/vitest.ts; }

# modules checks modules of their own: what our tests alone need, modules that bring an SDK, and examples of projects. The
# SDKs are compiled for the module alone.
modules() {
  local module
  for module in durable/schedule/crontest durable/mcp/judge examples/research examples/headless; do
    part "vet of $module" go -C "$module" vet ./...
    part "$module" go -C "$module" test ./...
  done
  part "vet of wasm/examples/sdk" go -C wasm/examples/sdk vet .
  part wasm/examples/sdk go -C wasm/examples/sdk test .
}

# tests runs every test, and of what would take longer what is drawn.
tests() {
  export TRIBUTARY_DRAW=${TRIBUTARY_DRAW-$(git rev-parse HEAD 2>/dev/null || true)}
  parts
  packages part packages
  part "made files" go run ./cmd/release -check
  part build go run ./wasm/cmd/tributary build
  node worker/startup.ts
  budgets
  part browser ./build.sh browser
  lint
  part "go test" go test -timeout 60m ./...
  modules
  for module in examples/research examples/headless; do part "check of $module" go -C "$module" run . check; done
  part "free plan" ./build.sh free
  nodetests
  browsers
}

# browsers runs the clients and the journeys side by side: both wait for wrangler and for clocks most of the time.
browsers() {
  local failed=0 beside
  clients &
  beside=$!
  part journeys playwright test --reporter=./e2e/report/playwright.ts || failed=1
  wait "$beside" || failed=1
  return "$failed"
}

# everything runs what tests draws from.
everything() {
  local module
  export TRIBUTARY_DRAW=all
  packages
  parts
  part build go run ./wasm/cmd/tributary build
  part mutants ./build.sh mutants
  part "go test" go test -timeout 0 ./...
  part "sdk" go -C wasm/examples/sdk test .
  GOOS=wasip1 GOARCH=wasm part "vet of its modules" go -C wasm/examples/sdk vet -trimpath ./anthropic ./asker ./openai
  for module in examples/*/; do
    part "dry run of $module" go -C "$module" run . deploy -- --dry-run
  done
  nodetests
  clients
  part audit ./build.sh audit || [ $? -eq 2 ] # it has said what it could not ask
}

# mutants [ROOM] runs the faults of all rooms or of one.
mutants() {
  go test -c -o build/mutants ./durable/durabletest/cmd/sim
  (cd durable/durabletest/cmd/sim && TRIBUTARY_DRAW=all ../../../../build/mutants -test.run 'TestMutations$' -test.timeout 0 -list -room "${1-}")
}

# targets prints the package and the name of every fuzz target.
# audit asks for known vulnerabilities of each Go module and of the packages.
audit() {
  local module known=() unasked=()
  packages
  GOBIN=$PWD/build go install golang.org/x/vuln/cmd/govulncheck@v1.9.0
  for module in . tools durable/schedule/crontest durable/mcp/judge wasm/examples/sdk examples/*/; do
    asked "govulncheck of $module" 3 build/govulncheck -C "$module" ./...
  done
  asked "npm audit" 3 advisories
  [ ${#unasked[@]} -eq 0 ] || printf 'could not be asked: %s\n' "${unasked[@]}" >&2
  [ ${#known[@]} -eq 0 ] || { printf 'something is known: %s\n' "${known[@]}" >&2; return 1; }
  [ ${#unasked[@]} -eq 0 ] || return 2
}

# asked NAME STATUS COMMAND…: STATUS is how the command ends if something is known. Any other failure means that it could
# not ask.
asked() {
  local name=$1 found=$2 status=0
  shift 2
  echo "$name"
  "$@" || status=$?
  case $status in
  0) ;;
  "$found") known+=("$name") ;;
  *) unasked+=("$name") ;;
  esac
}

# advisories is npm audit, which ends with 1 whether something is known or could not be asked. Its report tells which.
advisories() {
  npm audit --json >build/advisories.json && return 0
  grep -q '"auditReportVersion"' build/advisories.json || return 1
  npm audit || return 3
}

targets() {
  go test -list '^Fuzz' ./... |
    awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }'
}

# fuzz [TIME]: continues after a target that fails, and lists the failed targets at the end. SQLite is not instrumented:
# no target tests it, and its instrumented compilation would take ten minutes and a gigabyte.
fuzz() {
  local all package target failed=()
  parts
  all=$(targets)
  while read -r package target; do
    part "$target" go test -gcflags=modernc.org/...=-d=libfuzzer=0 "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${1:-30s}" || failed+=("$package $target")
  done <<<"$all"
  [ ${#failed[@]} -eq 0 ] || { printf '%s\n' "these fail, with inputs in testdata/fuzz:" "${failed[@]}" >&2; exit 1; }
}

command=${1-}
shift || true
case "$command" in
run) run "$@" ;;
check) check "$@" ;;
test) tests ;;
soak)
  if [ "${1-}" = all ]; then everything; else go run ./wasm/tck/cmd/soak -minutes "${1:-30}"; fi
  ;;
mutants) mutants "$@" ;;
bench)
  build
  parts
  part bench node bench/run.ts "$@"
  ;;
fuzz) fuzz "$@" ;;
build) build ;;
deploy) deploy "$@" ;;
screenshots)
  build
  browser
  node e2e/pictures.ts
  ;;
audit | browser | free) "$command" ;; # the last two are parts of test
*) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
