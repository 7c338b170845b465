"""Statements of a sentence, in words that can be compared: numbers, identifiers, telling words, negation, obligation.

English and Japanese, within one language and across: a Japanese claim over an English sentence is the usual case of
contributions. No model is asked, and nothing is understood: what cannot be compared proves nothing.
"""
