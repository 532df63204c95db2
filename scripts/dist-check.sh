#!/bin/sh
# dist-check.sh [CHECK...] - try what dist.sh left in build/dist as its users would: as root, since programs run in folders that hold
# nothing else and packages are installed in a new Debian. One line per check; logs are in build/dist-check.
# Checks: sums lint demo tarball again python npm debian; all of them by default.
set -eu
cd "$(dirname "$0")/.."
root=$PWD out=$PWD/build/dist work=$PWD/build/dist-check jobs=${JOBS:-$(nproc)}
[ "$(id -u)" = 0 ] || { echo "dist-check.sh: run this as root: it needs chroot" >&2; exit 5; }
version=$(sh scripts/version.sh)
debian=$(sh scripts/version.sh debian)-1
name=anorank-$version
bare=$work/bare
leave() { ! mountpoint -q "$bare/proc" || umount "$bare/proc"; }
trap leave EXIT
leave
rm -rf --one-file-system "$work"
mkdir -p "$work"

bad=0
wanted=" ${*:-sums lint demo tarball again python npm debian} "
check() { # CHECK WHAT FUNCTION [ARGUMENT...]: the function stops at its first failing command, and may write a remark on stream 3
  case $wanted in *" $1 "*) ;; *) return 0 ;; esac
  what=$2 start=$(date +%s) result=ok log=$work/$3${4:+-$4}.log
  shift 2
  (set -e; "$@") > "$log" 2>&1 3> "$work/remark" &
  wait $! || { result=FAILED bad=1; tail -n 15 "$log" >&2; }
  printf '%-7s %5d s  %s%s\n' "$result" $(($(date +%s) - start)) "$what" "$(sed 's/^/: /' "$work/remark")"
}

sums() { (cd "$out" && sha256sum -c SHA256SUMS); }

lint() { lintian --allow-root --fail-on error,warning "$out"/*.dsc "$out"/*.deb; }

# ---- the static program in a folder with nothing else: what `make demo` runs, or less under an emulator ----
alone() { # PROCESSOR [EMULATOR]: a command that runs it there; paths are relative, so that they mean the same inside and outside
  empty=$work/empty-$1
  mkdir -p "$empty"
  tar -xzf "$out/$name-linux-$1.tar.gz" -C "$empty" --strip-components=2 "$name-linux-$1/bin/anorank"
  emulator=
  if [ -n "${2:-}" ]; then cp "$(command -v "$2")" "$empty/$2" && emulator=/$2; fi
  printf '#!/bin/sh\nexec chroot "%s" %s /anorank "$@"\n' "$empty" "$emulator" > "$work/anorank-$1"
  chmod +x "$work/anorank-$1"
  cd "$empty"
  "$work/anorank-$1" --version
}
demo() {
  alone x86_64
  sh "$root/scripts/demo.sh" "$work/anorank-x86_64" demo
  [ -s demo/report.html ] && [ -s demo/table1.txt ]
  awk 'END { print NR - 1 " alerts" }' demo/alerts.csv >&3
}
demo_aarch64() {
  alone aarch64 qemu-aarch64-static
  "$work/anorank-aarch64" example cards --rows 1000 -o table.csv
  "$work/anorank-aarch64" fit table.csv --drop fraud -o model.anr
  "$work/anorank-aarch64" rank model.anr table.csv --lowest 5 -o ranked.csv
  "$work/anorank-aarch64" report model.anr table.csv -o report.html
  [ "$(wc -l < ranked.csv)" = 6 ] && [ -s report.html ]
}

# ---- packages for Python and Node.js: each has its own script -----------------------------------------------
package() { # NAME [FOLDER]
  sh "scripts/dist-check-$1.sh" "$out/${2:-}"
}

# ---- the tarball: elsewhere, without a network, some tests; then all artefacts again ------------------------
elsewhere=$(mktemp -d)
trap 'leave; rm -rf "$elsewhere"' EXIT
trap 'exit 1' INT TERM
tree=$elsewhere/somewhere/$name
unpack() {
  mkdir "$elsewhere/somewhere"
  tar -xzf "$out/$name.tar.gz" -C "$elsewhere/somewhere"
}
offline() { (cd "$tree" && unshare --net "$@"); }
build_tarball() {
  unpack
  offline cmake --preset dev
  # shellcheck disable=SC2046
  offline cmake --build --preset dev -j "$jobs" --target anorank anorank_shared anorank_static completions manual \
    $(cd tests/unit/core && ls test_*.c | sed 's,\.c$,,')
  offline ctest --preset dev -R '^core/|^checks/check_(install|symbols|dist)$|^cli/test_cli_(model|completion)$' > "$work/ctest" ||
    { cat "$work/ctest"; return 1; }
  grep 'tests passed' "$work/ctest" >&3
}
build_again() {
  [ -d "$tree" ] || unpack
  # The network is needed for sources of libraries only, which are the same.
  mkdir -p "$tree/build/platforms"
  cp -a build/platforms/sources "$tree/build/platforms"
  sh "$tree/scripts/dist.sh"
  diff -r "$out" "$tree/build/dist"
  ls "$out" | awk 'END { print NR " files" }' >&3
}

# ---- Debian packages: in a new system with nothing but apt --------------------------------------------------
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
  $(env | grep -iE '^(http|https|no)_proxy=') chroot "$bare" "$@"; }
install() { inside apt-get install -y -q --no-install-recommends "$@"; }
ours='anorank libanorank1 libanorank-dev python3-anorank'
listed() {
  (cd "$bare" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
    -o -path ./var/lib/dpkg \) -prune -o -print) | LC_ALL=C sort
}
bare_system() {
  # What this machine needs to reach its mirror, the new one needs, too.
  mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -n 1)
  debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$bare" "$mirror"
  rm -f "$bare/etc/apt/sources.list"
  cp /etc/apt/sources.list.d/debian.sources "$bare/etc/apt/sources.list.d"
  grep -l '^Acquire::' /etc/apt/apt.conf.d/* | xargs -r cp -t "$bare/etc/apt/apt.conf.d"
  cp /etc/resolv.conf "$bare/etc" || true
  mountpoint -q "$bare/proc" || mount -t proc proc "$bare/proc"
  mkdir "$bare/tmp/new" "$bare/tmp/old"
  inside apt-get update -q
  # The packages as a lower version, with a file that the new ones do not have.
  for package in $ours; do
    cp "$out/${package}_${debian}"_*.deb "$bare/tmp/new"
    dpkg-deb -R "$out/${package}_${debian}"_*.deb "$work/old"
    sed -i "s/$debian/0.9.0-1/" "$work/old/DEBIAN/control"
    mkdir -p "$work/old/usr/share/$package"
    echo old > "$work/old/usr/share/$package/of-old-version"
    dpkg-deb --root-owner-group -b "$work/old" "$bare/tmp/old"
    rm -rf "$work/old"
  done
  # What they depend on comes first: then what is left in the end is their own.
  inside sh -c 'apt-get install -s --no-install-recommends /tmp/new/*.deb' > "$work/plan"
  needs=$(awk '$1 == "Inst" {print $2}' "$work/plan" | grep -vxF "$(echo $ours | tr ' ' '\n')")
  test_needs=$(sed -n 's/^Depends: //p' packaging/debian/tests/control | tr -d , | tr ' ' '\n' | grep -vxF "$(echo $ours | tr ' ' '\n')")
  install $needs $test_needs
  listed > "$work/before"
}
installed() { # VERSION: all four, and no problem
  for package in $ours; do [ "$(inside dpkg-query -W -f '${Status} ${Version}' "$package")" = "install ok installed $1" ]; done
  inside dpkg --audit
  [ -z "$(inside dpkg --verify $ours)" ]
}
try_packages() {
  for test in $(sed -n 's/^Tests: //p' packaging/debian/tests/control); do
    echo "== $test"
    rm -rf "$bare/tmp/test"
    mkdir "$bare/tmp/test"
    inside sh -c "cd /tmp/source && AUTOPKGTEST_TMP=/tmp/test debian/tests/$test"
  done
}
packages_install() {
  inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/old/*.deb'
  installed 0.9.0-1
  rm -rf "$bare/tmp/source"
  dpkg-source -x "$out/anorank_$debian.dsc" "$bare/tmp/source"
  try_packages
}
packages_upgrade() {
  inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/new/*.deb'
  installed "$debian"
  try_packages
}
packages_purge() {
  inside apt-get purge -y -q $ours
  listed > "$work/after"
  diff "$work/before" "$work/after"
}

check sums "SHA256SUMS" sums
check lint "lintian: no errors, no warnings" lint
check demo "static x86-64: make demo in an empty folder" demo
check demo "static aarch64: four commands in an empty folder, by qemu" demo_aarch64
check tarball "source tarball: builds and passes tests without a network" build_tarball
check again "second build, elsewhere and from the tarball: same bytes" build_again
check python "Python: install and use" package python python
check npm "Node.js: install and use" package npm
check debian "a new Debian" bare_system
check debian "Debian packages of a lower version: install, tests" packages_install
check debian "Debian packages: upgrade, tests" packages_upgrade
check debian "Debian packages: purge leaves no file" packages_purge
exit $bad
