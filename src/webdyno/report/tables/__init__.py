"""What stands in rows and columns: typed rows that every format can show."""
