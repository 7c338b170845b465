"""Whether sentences of one language say what a claim in it says, in other words, another order or another voice."""
