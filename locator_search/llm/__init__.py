"""Models as the systems use them: within a budget and a deadline, with a stand-in where one fails."""
