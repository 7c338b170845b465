"""LibreOffice as a `Converter`: .doc, .rtf and .odt become .docx, and documents become PDF for their pages."""

from locator_search.adapters.libreoffice.converter import LibreOfficeConverter

__all__ = ["LibreOfficeConverter"]
