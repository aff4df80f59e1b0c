#!/bin/sh
# Makes the market's master key, where yarn-site.xml beside this file says that it is, and the operator's key that follows
# from it. Run it once, as the user that runs the ResourceManager:
#   master-key.sh http://rm1.example.org:8088
#   CLUSTER     yarn.scheduler.heddle.market.cluster-id; production-1, as in yarn-site.xml, where it is not set
#   DIRECTORY   where the two files go; /etc/hadoop/secret where it is not set
# Needs openssl, hadoop and heddle market on the PATH. It changes nothing that is there already.
set -eu
url=${1:?usage: master-key.sh http://RESOURCEMANAGER:PORT}
cluster=${CLUSTER:-production-1}
directory=${DIRECTORY:-/etc/hadoop/secret}
store=$directory/heddle-market.jceks
if [ -e "$store" ]; then
  echo "master-key: $store is there already; to replace the key see former-master-keys in docs/config-market.md" >&2
  exit 1
fi
umask 077
mkdir -p "$directory"
key=$(openssl rand -base64 32)
# Others on this machine can see a command's arguments while it runs. Where that matters leave out -value: then the command
# asks for the key.
hadoop credential create yarn.scheduler.heddle.market.http.master-key -value "$key" -provider "localjceks://file$store"
# Whoever has this file can sign as the operator: pay credits in, and make keys for users.
printf '%s\n' "$key" | heddle market keys operator --master-key-file - --cluster "$cluster" --url "$url" \
  --save "$directory/operator.key"
echo "Restart the ResourceManager. Then, for example:"
echo "  heddle market pay research 100 --key-file $directory/operator.key"
echo "  heddle market keys create --owner alice --save alice.key --key-file $directory/operator.key"
