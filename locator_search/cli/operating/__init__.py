"""Commands for whoever runs the product."""
