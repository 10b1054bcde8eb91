"""Where servers live: toolchains, builds, processes, ports, placement, supervision."""
