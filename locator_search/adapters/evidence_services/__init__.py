"""Evidence out of retrieval services of other makers, over HTTP: one module each."""

from locator_search.adapters.evidence_services.dify import DifyEvidenceProvider
from locator_search.adapters.evidence_services.elastic import ElasticEvidenceProvider

__all__ = ["DifyEvidenceProvider", "ElasticEvidenceProvider"]
