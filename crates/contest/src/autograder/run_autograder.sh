#!/bin/sh
# Gradescope runs this as root for each submission; `hog grade` decides all that is to be decided. For a trial: the folder in
# place of /autograder, and that of programs.
root=${1:-/autograder}
programs=${2:-/usr/local/bin}
source=$root/source
# A submission that runs as another user, where the sandbox lacks Landlock, reads what everybody may.
chmod 700 "$source" "$root/results"
# Stands if hog itself is killed.
cp "$source/not_graded.json" "$root/results/results.json"
"$programs/hog" grade @ARGUMENTS@ -o "$root/results/results.json" --force || echo "hog grade: exit status $?"
