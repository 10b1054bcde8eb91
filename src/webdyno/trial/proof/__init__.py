"""Whether a server does its work: asked before, during and after its load."""
