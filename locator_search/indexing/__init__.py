"""From files to index entries. Pure over ports."""
