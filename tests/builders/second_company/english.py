"""The papers of the international section, in English."""

from __future__ import annotations

from datetime import date

from tests.builders.second_company.papers import Paper

_FOLDER = "国際業務課"


def _paper(path: str, title: str, text: str, asked: str, day: date) -> Paper:
    return Paper(f"{_FOLDER}/{path}", f"# {title}\n{text}", day, asked)


PAPERS = (
    _paper(
        "Manuals/Reefer Container Handling Guide.docx",
        "Reefer Container Handling Guide",
        "Check the set point and the supply air temperature at the gate.\nPlug in within 30 minutes of unloading.\n"
        "Report any alarm code to the duty officer. Pre-trip inspection is valid for 30 days.",
        "how soon must a cooled box be connected to power after it comes off the ship",
        date(2025, 9, 9),
    ),
    _paper(
        "Manuals/Customs Clearance Checklist.md",
        "Customs Clearance Checklist",
        "Commercial invoice, packing list, bill of lading, certificate of origin.\nFood imports need a notification to the quarantine station.\n"
        "Duties are paid by deferred account.",
        "papers needed to bring food into the country",
        date(2025, 10, 2),
    ),
    _paper(
        "Contracts/Warehouse Lease Rotterdam.docx",
        "Warehouse Lease Rotterdam",
        "The landlord lets 3,400 square metres at Maasvlakte from 1 January 2026 for five years.\nRent is EUR 8.20 per square metre and month, indexed yearly.\n"
        "Subletting requires written consent.",
        "what do we pay for the building in the Dutch port",
        date(2025, 12, 15),
    ),
    _paper(
        "Contracts/Freight Forwarding Agreement Borealis.docx",
        "Freight Forwarding Agreement Borealis",
        "Borealis Shipping handles ocean freight from Hakata to Hamburg.\nLiability is limited to two SDR per kilogram.\nEither party may terminate with 90 days notice.",
        "how long before ending the deal with the shipping partner must we tell them",
        date(2026, 1, 20),
    ),
    _paper(
        "Reports/Rotterdam Quarterly Review 2026Q2.pptx",
        "Rotterdam Quarterly Review 2026Q2",
        "Throughput rose 11 percent to 5,870 pallets.\nDwell time fell from 9.1 to 7.4 days.\nA driver strike in May cost us two sailings.",
        "which event made us miss two ships this spring",
        date(2026, 7, 9),
    ),
    _paper(
        "Reports/Damage Claims Summary 2025.xlsx",
        "Damage Claims Summary 2025",
        "| Cause | Claims | Paid |\n| Wet cargo | 14 | 21,400 EUR |\n| Broken seals | 3 | 1,900 EUR |\n| Temperature | 6 | 48,200 EUR |",
        "how much compensation went out because goods got too warm",
        date(2026, 2, 3),
    ),
    _paper(
        "Minutes/Partner Call 2026-09-17.txt",
        "Partner Call 2026-09-17",
        "Attendees from Rotterdam and Fukuoka.\nThe new booking portal goes live on 5 October.\nPaper bookings are refused from then on.",
        "from when can bookings no longer be sent on paper",
        date(2026, 9, 17),
    ),
    _paper(
        "Training/Dangerous Goods Awareness.pptx",
        "Dangerous Goods Awareness",
        "Lithium batteries travel as class 9 with UN3480 labels.\nNever stack them above two tiers.\nKeep a dry powder extinguisher within reach.",
        "rules for carrying rechargeable cells",
        date(2026, 3, 5),
    ),
    _paper(
        "Policies/Expatriate Housing Policy.docx",
        "Expatriate Housing Policy",
        "The company pays rent up to EUR 1,900 for a single and EUR 2,600 for a family.\nUtilities are paid by the employee.\nHome leave is granted once a year.",
        "what apartment cost is covered for staff sent abroad with kids",
        date(2025, 8, 18),
    ),
    _paper(
        "Reports/Carbon Footprint of Ocean Freight.docx",
        "Carbon Footprint of Ocean Freight",
        "Slow steaming cut fuel burn by 17 percent on the Asia loop.\nBiofuel blends add 6 percent to the freight bill.\nWe report scope 3 emissions from 2027.",
        "did sailing at lower speed save energy",
        date(2026, 5, 28),
    ),
)
