"""The things that the emulated Drive holds, and how they change."""
