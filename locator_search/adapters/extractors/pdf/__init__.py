"""PDF, by two libraries, with a look at whether its characters can be right."""
