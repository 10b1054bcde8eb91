"""Whether what runs say is true: their intervals beside ratios that a long load shows."""
