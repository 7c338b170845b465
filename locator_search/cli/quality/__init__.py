"""Commands that measure and calibrate."""
