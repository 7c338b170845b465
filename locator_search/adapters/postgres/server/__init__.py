"""The server itself: embedded or external, connections, migrations, locks, backup."""
