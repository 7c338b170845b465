"""3GPP contributions: from the folder of a meeting to evidence, in steps that can each be done again.

    archive -> normalised documents -> chunks -> index -> analyses

The nouns and the seams are in `locator_search.ports.contributions`, because adapters share them; tracked changes are
part of every block (`model.TrackedChange`). `numbers` reads contribution numbers and meeting names.
"""
