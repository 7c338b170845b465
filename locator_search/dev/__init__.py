"""Development tools. Nothing of the product imports them but the command line."""
