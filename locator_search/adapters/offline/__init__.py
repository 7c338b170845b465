"""Stand-ins that work without keys and network, and say what they are."""
