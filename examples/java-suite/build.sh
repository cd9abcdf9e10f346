#!/bin/sh
# Makes suite.jar from Suite.java and the client. usage: build.sh [OUTPUT.jar]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here/suite.jar}
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac -d "$classes" "$here/Suite.java" "$here/../../clients/java/TareBench.java"
jar cfe "$output" Suite -C "$classes" .
