# What submissions may import, in an environment of their own.
python3 -m venv "$root/python" || { apt-get update && apt-get install -y python3-venv && python3 -m venv "$root/python"; }
"$root/python/bin/python" -m pip install --quiet @NAMES@
