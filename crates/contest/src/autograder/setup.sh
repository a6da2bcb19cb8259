#!/bin/sh
# Gradescope runs this as root when it builds the image. It installs the program that the archive brings, and Python, with
# which submissions are run. For a trial: the folder in place of /autograder, and that of programs.
set -e
root=${1:-/autograder}
programs=${2:-/usr/local/bin}
command -v python3 > /dev/null || { apt-get update && apt-get install -y python3; }
cp "$root/source/hog" "$programs/hog"
chmod 755 "$programs/hog"
@PACKAGES@
"$programs/hog" --version
