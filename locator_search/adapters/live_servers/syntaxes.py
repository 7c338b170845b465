"""How queries of Google Drive and GitHub are written, for the model that writes them."""

from __future__ import annotations

DRIVE_SYNTAX = """\
Google Drive query terms, joined with `and`, `or`, `not`, in parentheses. Strings in single quotes; a quote inside: \\'.
- fullText contains 'word'   name, text and description; a phrase: fullText contains '"two words"'
- name contains 'word'       beginnings of words of the name only
- mimeType = 'application/pdf'   also 'application/vnd.google-apps.document', '...spreadsheet', '...presentation'
- modifiedTime > '2026-01-31T00:00:00'
- 'someone@example.com' in owners
Example: (fullText contains '設計' or fullText contains 'design') and name contains 'Alpha'
Plain words work too: every word must occur, and OR parts alternatives."""

_ISSUES = """\
GitHub search, keywords plus qualifiers: repo:owner/name, org:name, in:title,body,comments, label:"name", author:login,
state:open, created:>2026-01-31, updated:>2026-01-31, sort:updated. Phrases in double quotes. All keywords must occur;
alternatives with OR (at most five operators), in parentheses if there is more: (retry OR 再送) repo:org/app.
Do not add is:issue or is:pr."""

GITHUB_SYNTAX = {
    "issue": _ISSUES,
    "pull_request": _ISSUES,
    "code": """\
GitHub code search: words that occur in one file, plus qualifiers: repo:owner/name, org:name, path:docs,
filename:README, extension:md, language:python, in:file, in:path. At most 256 characters, at least one word.
Alternatives with OR. Punctuation is ignored. Example: 再送 OR retry org:example path:docs extension:md""",
}
