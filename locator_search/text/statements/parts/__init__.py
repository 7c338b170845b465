"""The parts of a sentence, in either language."""
