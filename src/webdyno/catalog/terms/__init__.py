"""What manifests write as a word or a line: quantities, names, CPUs, commands, requests."""
