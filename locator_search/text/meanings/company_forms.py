"""Forms of companies and other bodies, with their short forms in brackets (as NFKC leaves ㈱)."""

from __future__ import annotations

COMPANY_FORMS = {
    "株式会社": "(株)", "有限会社": "(有)", "合同会社": "(同)", "合資会社": "(資)", "合名会社": "(名)",
    "相互会社": "(相)", "一般社団法人": "(一社)", "公益社団法人": "(公社)", "一般財団法人": "(一財)",
    "公益財団法人": "(公財)", "社会福祉法人": "(福)", "学校法人": "(学)", "医療法人": "(医)", "宗教法人": "(宗)",
    "特定非営利活動法人": "(特非)", "独立行政法人": "(独)", "国立大学法人": "(大)", "協同組合": "(協)",
    "監査法人": "(監)", "弁護士法人": "(弁)",
}  # fmt: skip


def company_form_variants(long_form: str) -> tuple[str, ...]:
    """Every way to write a form, the long one first."""
    sign = {"株式会社": "㈱", "有限会社": "㈲", "学校法人": "㈻", "協同組合": "㈿", "独立行政法人": "㈵"}.get(long_form)
    npo = ("NPO法人",) if long_form == "特定非営利活動法人" else ()
    return (long_form, *([sign] if sign else []), COMPANY_FORMS[long_form], *npo)
