"""Analyses of contributions. They see evidence and a language model and nothing else: no archive, no store, no files.

    analysis = AnalysisAgent(provider, chat_model).analyze("S1-254001")

Evidence is searched before anything is asked of the model, always; every claim of the model is checked against it.
"""
