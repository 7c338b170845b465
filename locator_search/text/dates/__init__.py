"""Dates in questions and file names: 令和6年9月, 先月, 2024年度上期, FY2024 Q1, since September."""
