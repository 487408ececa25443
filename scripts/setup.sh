# Sourced by scripts/quickstart and scripts/test, which stand in the repository's root: what must be there before they
# begin is installed where that may be done, and else named with the one command that does it.

stop() {
  echo "$*" >&2
  exit 2
}

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

need_node() {
  command -v node >/dev/null && command -v npm >/dev/null ||
    stop 'Node 20 or later with npm is needed (https://nodejs.org; on Debian as root: apt-get install -y nodejs npm).'
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || stop "Node 20 or later is needed; this is $(node -v)."
}

# The packages of the lock file, with the pinned Node among them, which is `node` from here on.
need_packages() {
  if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo 'Installing packages (npm ci)' >&2
    compile_servers &
    npm ci --no-progress </dev/null >&2
    wait $!
    touch node_modules/.package-lock.json
  fi
  export PATH="$PWD/node_modules/.bin:$PATH"
  unset NODE_EXTRA_CA_CERTS # read at every start of Node; only npm has use for it here
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ] || stop "On this system Node 24 must be installed; this is $(node -v)."
}

# The jail of the sandbox.
need_bubblewrap() {
  command -v bwrap >/dev/null && return
  [ "$(uname)" = Linux ] || stop "The sandbox needs Linux (bubblewrap). Here, run the suite in containers: docker compose up"
  may_install || stop 'bubblewrap is needed: sudo apt-get install -y bubblewrap (Fedora: sudo dnf install -y bubblewrap)'
  echo 'Installing bubblewrap' >&2
  apt_install bubblewrap
}

# What candidates in Python get: an interpreter that starts in a jail here and has requests there, as execution finds it. Without
# one everything else works, and Python is refused with what to do: `optional` continues.
need_python() {
  local why
  why=$(python_check) && return
  if may_install && { echo 'Installing Python with requests' >&2; (apt_install python3 python3-requests); }; then
    why=$(python_check) && return
  fi
  [ "${1:-}" = optional ] || stop "$why"
  echo "$why" >&2
}

# Tells whether programs in Python run here, and which interpreters were tried; succeeds where they do.
python_check() { node apps/cli/bin/stateeval.js doctor --language python 2>&1; }

has_servers() {
  { [ -n "${MONGODB_URI:-}" ] || command -v mongod >/dev/null; } && { [ -n "${NATS_URL:-}" ] || command -v nats-server >/dev/null; }
}

# Compiles most of what need_servers builds, while npm fetches packages: Go shares what was compiled with -trimpath. Needs no
# Node. need_servers reports any failure.
compile_servers() {
  local go
  has_servers || compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/stateeval/local-*/stateeval-local" >/dev/null && return
  go=$(command -v go || echo /usr/local/go/bin/go)
  (
    cd packages/local-servers/server &&
      CGO_ENABLED=0 GOFLAGS='' "$go" build -mod=readonly -trimpath github.com/nats-io/nats-server/v2/server modernc.org/sqlite
  ) </dev/null >/dev/null 2>&1 || true
}

# MongoDB and NATS, or the embedded servers in the cache, or Go, which builds them.
need_servers() {
  has_servers && return
  if ! node packages/local-servers/src/build.ts --cached >/dev/null && ! command -v go >/dev/null && [ ! -x /usr/local/go/bin/go ] && may_install; then
    echo 'Installing Go, which builds the embedded servers' >&2
    apt_install golang-go
  fi
  STATEEVAL_LOCAL_BINARY=$(node packages/local-servers/src/build.ts) || exit 2
  export STATEEVAL_LOCAL_BINARY
}

# Files of a Debian package for tests, without its installation: `unpack PACKAGE FOLDER PATH…` puts the directory of the first path
# at FOLDER.
unpack() {
  local package=$1 folder=$2 draft
  shift 2
  draft=$(mktemp -d)
  (
    cd "$draft" && apt-get update -qq && apt-get download -qq "$package" && dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x "${@/#/.}" &&
      mkdir -p "$(dirname "$folder")" && mv ".$(dirname "$1")" "$folder"
  ) </dev/null >/dev/null 2>&1 || echo "$package is not available: tests that need it are skipped" >&2
  rm -rf "$draft"
}

# A Vulkan driver that computes on the CPU, which tests of the GPU's code path use: SwiftShader, out of Debian's
# chromium-common.
want_swiftshader() {
  local folder=${HOME:-/root}/.cache/stateeval/swiftshader from=/usr/lib/chromium
  [ ! -e "$folder/vk_swiftshader_icd.json" ] && [ ! -e $from/vk_swiftshader_icd.json ] && may_install || return 0
  echo 'Getting SwiftShader' >&2
  unpack chromium-common "$folder" $from/libvk_swiftshader.so $from/vk_swiftshader_icd.json $from/libvulkan.so.1
}

# Evaluates alert rules in tests: promtool, out of Debian's prometheus.
want_promtool() {
  local folder=${HOME:-/root}/.cache/stateeval/promtool/debian
  [ ! -e "$folder/promtool" ] && ! command -v promtool >/dev/null && may_install || return 0
  echo 'Getting promtool' >&2
  unpack prometheus "$folder" /usr/bin/promtool
}

# A browser, in which the dashboard is tested. Without it those tests are skipped and say so.
want_chromium() {
  [ ! -x "${STATEEVAL_CHROMIUM:-/usr/bin/chromium}" ] && may_install || return 0
  echo 'Installing Chromium' >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } \
    </dev/null >/dev/null 2>&1 || echo 'Chromium is not available: tests of the dashboard in a browser are skipped' >&2
}

apt_install() {
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } </dev/null >/dev/null ||
    stop "apt-get install $* failed: install it by hand and run this again."
}
