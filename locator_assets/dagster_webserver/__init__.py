"""Dagster's UI behind our guard and, where it is set up, behind the sign-in of the pages."""
