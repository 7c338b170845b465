"""The composition root: settings in, working parts out, one module per system."""
