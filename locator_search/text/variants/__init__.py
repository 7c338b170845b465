"""Ways to write the same thing (表記ゆれ): the rules, and where they apply in a question or a text. Pure."""
