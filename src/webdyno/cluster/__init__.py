"""Many machines: who they are, how one load is made from several, and what is said of it."""
