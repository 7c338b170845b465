"""Analyses of contributions. They see evidence and a language model and nothing else: no archive, no store, no files.

    run = AnalysisAgent(provider, chat_model).start("single", ["S1-254001"])
    analysis = run.advance()

Evidence is searched before anything is asked of the model, always; every claim of the model is checked against it.
"""
