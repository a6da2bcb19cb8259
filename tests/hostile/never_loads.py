# Computes for ever before the first call: "while its file is loaded: it was stopped after 1 s"
while True:
    pass
