#!/bin/sh
# hardening/pythons.sh 3.14 3.15
#
# Pythons that this Debian does not have yet, from Debian's unstable suite, into build/pythons: with their own C
# library beside them, so that nothing of the system changes. Needs root, debootstrap and patchelf.
# hardening/dist.py finds them there.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo 'usage: hardening/pythons.sh 3.14 …' >&2; exit 2; }
folder=$PWD/build/pythons
packages=ca-certificates
for version in "$@"; do packages=$packages,python$version-venv,python$version-dev; done
debootstrap --variant=minbase --include="$packages" sid "$folder"
for version in "$@"; do
  patchelf --force-rpath --set-rpath "$folder/usr/lib/x86_64-linux-gnu" \
    --set-interpreter "$folder/usr/lib64/ld-linux-x86-64.so.2" "$folder/usr/bin/python$version"
  # Debian's ensurepip looks for pip's wheel in a folder with a fixed name.
  sed -i "s|_WHEEL_PKG_DIR = .*|_WHEEL_PKG_DIR = Path('$folder/usr/share/python-wheels')|" \
    "$folder/usr/lib/python$version/ensurepip/__init__.py"
  "$folder/usr/bin/python$version" --version
done
