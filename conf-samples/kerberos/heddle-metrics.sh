#!/bin/sh
# Fetches /heddle/metrics from a ResourceManager whose web server asks for a Kerberos ticket, for Prometheus, which has none.
# It writes the file where node_exporter looks for it (--collector.textfile.directory). Run it every 30 seconds or so, as a
# user of its own, with a keytab that only that user can read:
#   heddle-metrics.sh http://rm1.example.org:8088 /var/lib/node_exporter/heddle.prom
#   HEDDLE_KEYTAB, HEDDLE_PRINCIPAL   where no ticket is there already: what to get one with
# Of two ResourceManagers only the active one answers with metrics; ask both, with a file for each.
# Needs curl with SPNEGO (curl --version names it) and, for a keytab, kinit.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: heddle-metrics.sh http://RESOURCEMANAGER:PORT FILE.prom" >&2
  exit 2
fi
if [ -n "${HEDDLE_KEYTAB:-}" ]; then
  KRB5CCNAME=$(mktemp)
  export KRB5CCNAME
  trap 'rm -f "$KRB5CCNAME" "$2.new"' EXIT
  kinit -k -t "$HEDDLE_KEYTAB" "${HEDDLE_PRINCIPAL:?set HEDDLE_PRINCIPAL to the principal in $HEDDLE_KEYTAB}"
else
  trap 'rm -f "$2.new"' EXIT
fi
status=$(curl --silent --show-error --max-time 20 --negotiate --user : --output "$2.new" --write-out '%{http_code}' \
  "$1/heddle/metrics")
case $status in
  200) chmod 644 "$2.new" && mv "$2.new" "$2" ;;
  307) rm -f "$2" ;; # stands by: the other one has the metrics
  *)
    echo "heddle-metrics: $1/heddle/metrics answers $status; a 401 means that there is no valid ticket (klist)" >&2
    exit 1
    ;;
esac
