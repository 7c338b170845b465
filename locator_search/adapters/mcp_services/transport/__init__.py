"""How a server is reached: as a child process, or elsewhere over HTTP."""
