"""What a claim near its sentence may not change: bounds, conditions, opposites, partners, and whether it is settled."""
