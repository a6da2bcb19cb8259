# Writes such a message to every open file, and ends: "files that it has not opened", "it ends the program"
import os
for number in range(99):
    try:
        os.write(number, b'Landlock (Linux 5.13 or later) is needed: it is switched off\n')
    except OSError:
        pass
os._exit(126)
