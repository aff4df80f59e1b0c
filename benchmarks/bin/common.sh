# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the commands beside it, which then work in the root of the source tree.
# shellcheck disable=SC2034 # late-report uses it
here=$PWD
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit

# Java takes the encoding of arguments, file names and output from the locale, and ASCII makes question marks of the rest.
# Programs of users get their own locale back, from HEDDLE_LC_ALL.
if [[ $(locale charmap 2>/dev/null) != UTF-8 ]]; then
  export HEDDLE_LC_ALL=${LC_ALL:-} LC_ALL=C.UTF-8
fi

# Builds modules ("a,b") and what they need; further arguments are Maven's.
build() {
  [ -d benchmarks/target/classes ] || echo "Building first, which takes some minutes on a fresh clone ..." >&2
  ./mvnw -q -B -ntp -pl "$1" -am -DskipTests -Dspotless.check.skip=true package "${@:2}"
}

build_benchmarks() {
  build benchmarks dependency:build-classpath -Dmdep.outputFile=target/classpath.txt
}

# Runs java with the class path of the benchmarks and these arguments.
launch() {
  java -Djava.awt.headless=true -Djava.net.preferIPv4Stack=true --add-opens=java.base/java.lang=ALL-UNNAMED \
    -Dlog4j.configuration=file:benchmarks/bin/quiet.properties -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath.txt)" "$@"
}

# Runs java as the planner runs, with a class path in front of the planner's and these arguments.
launch_planner() {
  java -Xmx900m -XX:+UseSerialGC -cp "$1:packing-planner/target/classes:packing-planner/target/lib/*" "${@:2}"
}
