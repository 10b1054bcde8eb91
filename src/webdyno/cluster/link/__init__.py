"""What is measured of a link between two machines: clocks, round trips, bytes, losses."""
