"""What goes from machine to machine, with the proof of who says it: lines, objects, types."""
