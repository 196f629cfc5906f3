# shellcheck shell=bash disable=SC2154 # sourced by install.sh, which sets what is used here
# A version: made beside the one that runs, looked at, and put in its place.

check_python() {
  step 'looking for Python' 'Install Raspberry Pi OS Bookworm or Trixie.'
  if ! command -v python3 >/dev/null && [ -n "$dry_run" ]; then return; fi
  python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' ||
    fail "$(python3 --version 2>&1), expected 3.11 to 3.13." 'Use Raspberry Pi OS Bookworm or Trixie.'
}

pip_install() {
  local only=(--only-binary=:all:)
  [ -z "$wheels" ] || only+=(--no-index --find-links "$wheels")
  # Raspberry Pi OS sets pip up for a second index whose builds have other hashes than the locked
  # ones; without any configuration pip asks its own alone.
  local without=(-u PIP_EXTRA_INDEX_URL -u PIP_INDEX_URL -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null)
  [ -z "$pip_config" ] || without=()
  run env "${without[@]}" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore TMPDIR="$work" \
    "$release/.venv/bin/python" -m pip install --quiet --no-cache-dir "${only[@]}" "$@"
}

stage_source() { # DIR: what the program is made of, without leftovers of a checkout
  mkdir "$1"
  tar -C "$source_dir" --exclude=__pycache__ --exclude='*.egg-info' -cf - "${PARTS[@]}" | tar -C "$1" -xf -
}

release_name() { # DIR: the same content for the same Python with the same extras has the same name
  local version digest python
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$1/pyproject.toml")
  digest=$(cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-10)
  python=$(python3 -c 'import sys; print("py%d.%d" % sys.version_info[:2])' 2>/dev/null || echo py3)
  printf '%s-%s-%s%s' "$version" "$digest" "$python" "${hub:+-hub}"
}

make_release() {
  step 'making the version ready (a few minutes)' 'Check the network; the packages are fetched from the Python package index.'
  local staged=$work/source lock=base file
  [ -z "$hub" ] || lock=hub
  stage_source "$staged"
  release=$HOME_DIR/releases/$(release_name "$staged")
  if [ -e "$release/complete" ]; then say "    $release is there already"; return; fi
  say "    $release"
  run rm -rf "$release" # what an attempt that broke off has left
  run mkdir -p "$release"
  run cp -rT "$staged/device/install" "$release/install"
  run python3 -m venv --system-site-packages "$release/.venv"
  # What Debian has installed does not count, only what the lock names.
  (cd "$staged" && pip_install --ignore-installed --require-hashes -r "requirements/$lock.lock")
  for file in "${UNUSED[@]}"; do
    run find "$release/.venv/lib" -path "*/openvino/libs/$file" -delete
  done
  pip_install --no-deps --no-build-isolation "$staged"
  fit_picamera "$staged"
  run sync # the word that it is complete must not be on the card before the rest of it is
  put 644 "$release/complete" <<<"$(date -u +%FT%TZ)"
}

fit_picamera() { # SOURCE: Bookworm's picamera2 uses a library made for an older numpy than ours
  python3 -c 'import simplejpeg' 2>/dev/null || return 0
  "$release/.venv/bin/python" -c 'import simplejpeg' 2>/dev/null ||
    (cd "$1" && pip_install --ignore-installed --no-deps --require-hashes -r requirements/pi.lock)
}

check_release() {
  step 'letting the new version look at itself' 'The running version, if there is one, was not touched.'
  if [ -n "$dry_run" ]; then return; fi
  local user=schockauge settings
  [ -n "$table" ] || user=schockauge-hub
  settings=$work/settings.toml
  printf '[web]\nport = 0\n[store]\npath = "/var/lib/%s/schockauge.sqlite3"\n' "$user" >"$settings"
  chmod 755 "$work"
  chmod 644 "$settings"
  runuser -u "$user" -- env -C / HOME="/var/lib/$user" PYTHONDONTWRITEBYTECODE=1 \
    "$release/.venv/bin/schockauge" doctor --json --settings "$settings" >"$work/found" || true
  "$release/.venv/bin/python" - "$work/found" <<'PYTHON'
import json, sys
# A version that lacks one of these is none; what else is wrong is this machine's, and is only told.
NEEDED = {"python", "packages", "models", "demo clip"}
with open(sys.argv[1], encoding="utf-8") as file:
    found = [json.loads(line) for line in file]
for row in found:
    if row["state"] not in ("unknown", "note"):
        print(f"    {row['state']:<8}{row['check']}: {row['text']}")
good = {row["check"] for row in found if row["state"] == "ok"}
sys.exit(f"    not good: {', '.join(sorted(NEEDED - good))}" if NEEDED - good else 0)
PYTHON
}

switch_over() {
  step 'switching to the new version' 'The version before still lies in /opt/schockauge/releases.'
  local before
  before=$(readlink -f "$HOME_DIR/current" 2>/dev/null || true)
  if [ -e "$HOME_DIR/current" ] && [ "$before" != "$release" ]; then run ln -sfnT "$before" "$HOME_DIR/previous"; fi
  run ln -sfnT "$release" "$HOME_DIR/current.new"
  run mv -T "$HOME_DIR/current.new" "$HOME_DIR/current"
  run ln -sfn "$HOME_DIR/current/.venv/bin/schockauge" "$COMMAND"
  drop_old_releases
}

drop_old_releases() {
  [ -z "$dry_run" ] || return 0
  local kept=0 folder
  while read -r folder; do
    case $folder in "$(readlink -f "$HOME_DIR/current")" | "$(readlink -f "$HOME_DIR/previous")") continue ;; esac
    kept=$((kept + 1))
    [ "$kept" -le $((KEEP_RELEASES - 2)) ] || { say "    $folder is old and goes"; run rm -rf "$folder"; }
  done < <(find "$HOME_DIR/releases" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\n' | sort -rn | cut -d' ' -f2-)
}
