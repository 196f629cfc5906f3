# shellcheck shell=bash disable=SC2154 # sourced by install.sh, which sets what is used here
# What lies outside /opt/schockauge: users, settings, services, the name in the network.

make_user() { # UNIT
  local name=$1
  put 644 "/etc/sysusers.d/$name.conf" <"$here/$name.sysusers"
  put 644 "/etc/tmpfiles.d/$name.conf" <"$here/$name.tmpfiles"
  run systemd-sysusers "/etc/sysusers.d/$name.conf"
  run systemd-tmpfiles --create "/etc/tmpfiles.d/$name.conf"
}

camera() {
  if "$release/.venv/bin/python" -c 'import picamera2' 2>/dev/null; then echo picamera:0; else echo camera:0; fi
}

make_state() {
  step 'making users, folders and settings' 'See what is said above.'
  if [ -n "$table" ]; then
    make_user schockauge
    first_settings table.toml "$STATE" schockauge
  fi
  if [ -n "$hub" ]; then
    make_user schockauge-hub
    first_settings hub.toml "$HUB_STATE" schockauge-hub
  fi
}

first_settings() { # FILE DIR USER: written once, then the owner's
  if [ -e "$2/$1" ]; then say "    $2/$1 stays as it is"; return; fi
  sed "s/@SOURCE@/$(camera)/" "$here/$1" | put 640 "$2/$1"
  run chown "$3:$3" "$2/$1"
}

install_units() {
  step 'setting up the services' 'See: systemctl status schockauge, journalctl -u schockauge'
  local unit units=()
  [ -z "$table" ] || units+=(schockauge)
  [ -z "$hub" ] || units+=(schockauge-hub)
  for unit in "${units[@]}"; do
    put 644 "$UNIT_DIR/$unit.service" <"$here/$unit.service"
    run systemctl --quiet enable "$unit.service" # links alone; works without a running systemd
  done
  if ! systemd_runs; then left_out 'starting them: no systemd runs here'; return; fi
  run systemctl daemon-reload
  for unit in "${units[@]}"; do run systemctl restart "$unit.service"; done
}

name_in_network() {
  step "announcing the name $name.local" 'The table works without: use its address in digits.'
  local file=/etc/avahi/avahi-daemon.conf
  [ -z "$table" ] || put 644 /etc/avahi/services/schockauge.service <"$here/schockauge.avahi.xml"
  if [ -n "$keep_name" ]; then left_out 'the name, as --keep-name asks'
  elif [ -f $file ]; then
    sed "s/^#\?host-name=.*/host-name=$name/" $file | put 644 $file
    if ! systemd_runs; then left_out 'telling avahi: no systemd runs here'
    elif ! run systemctl restart avahi-daemon; then
      say "    beware: avahi does not start, so there is no $name.local; the address in digits works."
    fi
  fi
}

wait_for_page() {
  step 'waiting for the page' 'See: journalctl -u schockauge'
  if [ -n "$dry_run" ] || [ -z "$table" ] || ! systemd_runs; then left_out 'nothing was started'; return; fi
  "$release/.venv/bin/python" - "$PAGE_WAIT_S" <<'PYTHON'
import sys, time, tomllib, urllib.request
with open("/var/lib/schockauge/table.toml", "rb") as file:
    web = tomllib.load(file).get("web", {})
host, port = web.get("host", ""), web.get("port", 8080)
host = "127.0.0.1" if host in ("0.0.0.0", "", "::") else host
url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
end_s = time.monotonic() + float(sys.argv[1])
while True:
    try:
        urllib.request.urlopen(url, timeout=5).close()
        break
    except OSError as error:
        if time.monotonic() > end_s:
            sys.exit(f"nothing answers at {url}: {error}")
        time.sleep(1)
PYTHON
  journalctl -q -u schockauge -o cat -g 'Erste PIN' -n 1 2>/dev/null | sed 's/^/    /' || true
}

tell_end() {
  say
  if [ -n "$dry_run" ]; then say 'Nothing was done: --dry-run.' && return; fi
  sync # whoever reads "Done" may pull the plug
  if [ -n "$table" ]; then
    say "Done. The table's page: http://$name.local:8080/"
    say "Everything that is kept lies in $STATE. How it is: http://$name.local:8080/health, or"
    say "  sudo -u schockauge schockauge doctor --settings $STATE/table.toml"
  else
    say "Done. The hub's page: http://$name.local:8090/"
    say "Everything that is kept lies in $HUB_STATE."
  fi
}

uninstall() {
  step 'removing the program' 'See what is said above.'
  local unit
  for unit in schockauge schockauge-hub; do
    if [ -e "$UNIT_DIR/$unit.service" ]; then
      if systemd_runs; then run systemctl --quiet disable --now "$unit.service"; else run systemctl --quiet disable "$unit.service"; fi
    fi
    run rm -f "$UNIT_DIR/$unit.service" "/etc/sysusers.d/$unit.conf" "/etc/tmpfiles.d/$unit.conf"
  done
  run rm -rf "$HOME_DIR"
  run rm -f "$COMMAND" /etc/avahi/services/schockauge.service
  [ ! -f /etc/avahi/avahi-daemon.conf ] || run sed -i 's/^host-name=/#host-name=/' /etc/avahi/avahi-daemon.conf
  if [ -z "$purge" ]; then
    say "Kept: $STATE and $HUB_STATE, with settings, logs and pictures, and Debian's packages."
    return
  fi
  run rm -rf "$STATE" "$HUB_STATE"
  for unit in schockauge schockauge-hub; do
    if getent passwd "$unit" >/dev/null; then run userdel "$unit"; fi
  done
}
