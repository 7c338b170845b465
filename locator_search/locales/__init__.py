"""Every sentence a person reads, once per language: `ja.toml`, `en.toml`, and one more file per language that is added.

A surface declares the texts it needs as the fields of a `Section`; `XTexts.of("en")` is that section in English.
"""

from locator_search.locales.files import Language, language_name, languages, name_in_english, refuse_faulty_files
from locator_search.locales.sections import Common, Plural, Section

__all__ = [
    "Common",
    "Language",
    "Plural",
    "Section",
    "language_name",
    "languages",
    "name_in_english",
    "refuse_faulty_files",
]
