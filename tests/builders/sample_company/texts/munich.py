"""Munich Branch: the English documents."""

from tests.builders.sample_company.sample import Sample

SAMPLES = (
    Sample(
        "Munich Branch/Reports/2026/Monthly Report September 2026.docx",
        """
# Monthly Report September 2026
Hibari Keiki Munich Branch. Author: Anna Keller. Date: 2 October 2026
## Summary
Orders in September reached EUR 412,000 against a plan of EUR 395,000. Demand for the HV-80 vibration sensor \
remains strong, while flow sensors are slow because two food projects in Austria were postponed to next year.
## Figures
| Product | Orders (EUR) | Plan (EUR) |
| HV-80 | 168,000 | 150,000 |
| HP-350 | 139,000 | 135,000 |
| HT-210 | 71,000 | 70,000 |
| HF-120 | 34,000 | 40,000 |
| Total | 412,000 | 395,000 |
## Customers
- Nordhaven Robotics wants to test the wireless HV-90 in robot joints. Five loan units are promised for December.
- Bergstrom Pumps complained about the delivery time of nine weeks for HP-350. We ask Matsumoto for seven weeks.
## Staff
Marta Silva completed the ATEX course on 18 September. One service position is still open.
## Next month
Tom Lindqvist visits four distributors in Scandinavia between 12 and 23 October.
""",
    ),
    Sample(
        "Munich Branch/Contracts/Mutual NDA Nordhaven Robotics K-2025-E03.md",
        """
# Mutual Non-Disclosure Agreement
Contract number: K-2025-E03
This agreement is made on 12 March 2025 between Hibari Keiki Co., Ltd., Munich Branch, and Nordhaven Robotics \
A/S, Odense.
## 1. Purpose
The parties wish to evaluate vibration sensing in the joints of collaborative robots.
## 2. Confidential information
Confidential information is any technical or commercial information marked as confidential, or confirmed as such in \
writing within ten days after oral disclosure.
## 3. Obligations
Each party protects the information with the same care as its own, uses it only for the purpose, and gives access \
only to employees who need it.
## 4. Term
The agreement runs for two years. The duty of confidentiality survives for four years after its end.
## 5. Governing law
Danish law applies. The place of jurisdiction is Copenhagen.
Signed: Anna Keller (Hibari Keiki), Freja Dahl (Nordhaven Robotics)
""",
    ),
    Sample(
        "Munich Branch/Manuals/HV-80 Installation Guide.pdf",
        """
# HV-80 Vibration Sensor Installation Guide
Document MN-HV80-E, revision 2, February 2026. Hibari Keiki Co., Ltd.
# 1. Before you start
Stop the machine and secure it against restarting. Check that the mounting surface is flat within 0.05 mm and free \
of paint. You need an M6 torque wrench, a 5 mm drill and thread locker.
# 2. Mounting
- Drill and tap an M6 hole at least 12 mm deep, as close to the bearing as possible.
- Apply a thin film of silicone grease to the surface; it improves the response above 3 kHz.
- Tighten the sensor to 4.5 Nm. Do not use the cable to turn it.
---
# 3. Wiring
| Wire | Signal |
| Red | Supply 24 V DC |
| Black | 0 V |
| White | Output 4-20 mA |
| Screen | Earth at the controller only |
Keep the cable at least 200 mm away from motor cables. The bending radius must not be less than 40 mm.
# 4. First check
Tap the housing gently with a plastic hammer. The output must jump above 6 mA and return to 4 mA within two seconds. \
If it stays above 4.5 mA while the machine stands still, check the screen for a ground loop.
# 5. Maintenance
Check the tightening torque every twelve months. Send the sensor to Munich for calibration every three years.
""",
    ),
    Sample(
        "Munich Branch/Sales/Price List 2026.xlsx",
        """
# Products
Price list 2026, valid from 2026-01-01, EUR, ex works Munich
| Item | Description | List price | Minimum quantity |
| HT-210 | Temperature sensor, Pt100 | 265 | 1 |
| HP-350 | Pressure sensor, 4-20 mA | 318 | 1 |
| HF-120 | Flow sensor, hygienic | 842 | 1 |
| HV-80 | Vibration sensor, wired | 875 | 1 |
# Accessories
| Item | Description | List price |
| HA-03 | Support bracket for HP-350 | 24 |
| HA-08 | Magnetic base | 39 |
| HC-10 | Cable, 10 m, oil resistant | 46 |
# Discounts
| Partner level | Discount |
| Silver | 8% |
| Gold | 13% |
| Platinum | 18% |
""",
    ),
    Sample(
        "Munich Branch/Minutes/Distributor Meeting 2026-06-18.txt",
        """
# Minutes of the Distributor Meeting, 18 June 2026
Place: Munich office. Present: Anna Keller, Tom Lindqvist, Marta Silva, nine distributors from six countries
## Decisions
- Stock: every Gold partner keeps at least ten HP-350 of the 0-2 MPa range.
- Repairs: units under warranty are replaced within five working days; the defective unit goes to Matsumoto.
- Training: a two-day course on vibration basics takes place in Lyon on 24 and 25 November.
## Open points
The Polish partner asked for a manual in Polish. Marta Silva obtains a quotation for the translation by 15 July.
The Italian partner wants RS-485 output for the HT-210; Tom Lindqvist passes the request to the development \
department.
""",
    ),
)
