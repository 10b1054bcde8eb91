"""From sources to a server that can be started: built, timed, cached by content, and sealed."""
