"""English phrases that bind, bound or order, each with the one word it is read as."""

from __future__ import annotations

from decimal import Decimal

import regex

from locator_search.text.statements.units import unit_of

_PARTING = {"-": "to", "–": "to"}
_SMALL_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred"
_NUMBER = rf"(?=\s*(?:-?\d|(?:a|{_SMALL_NUMBERS})\b))"
_MORE = "more|greater|higher|longer|larger|later|bigger"
_BINDING = "shall|must|should|can|will"
_GRADED = "required|needed|recommended|allowed|permitted|enabled"
_LESS = "less|fewer|lower|shorter|smaller|earlier"

_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTHS = "January|February|March|April|June|July|August|September|October|November|December"

_BINDS = regex.compile(rf"\b(?:{_BINDING}|may)\b", regex.IGNORECASE)
_SUBJECT = regex.compile(
    r"(?<!\b(?:of|by|to|in|on|at|for|from|with|and|or|that|than)) (?:the|an?) (?:[\w-]+ ){1,3}$", regex.IGNORECASE
)
_HAS_VERB = regex.compile(r"\b(?:is|are|has|have|\w+s)\b")


def _base(found: regex.Match[str]) -> str:
    """The verb of a thing that is started, stopped or changed: it starts, stops, changes."""
    return found[2] or found[3] or f"{found[4]}e"


def _century(found: regex.Match[str]) -> str:
    """The mid-19th century as a word and the century."""
    return f"{found[1] or ''} {found[2]}century".lstrip()


def _clock(found: regex.Match[str]) -> str:
    """3 p.m. as 15h00."""
    return f"{int(found[1]) % 12 + 12 * (found[3].lower() == 'p')}h{found[2] or '00'}"


def _written_out(found: regex.Match[str]) -> str:
    """1.2 million as 1200000, where that is a whole number."""
    value = Decimal(found[1]) * {"million": 10**6, "billion": 10**9}.get(found[2].lower(), 10**3)
    return str(int(value)) if value == int(value) else found[0]


def _with_condition_closed(text: str) -> str:
    """A sentence that begins with a condition and has no comma behind it, with one before its only binding verb's
    subject: when congestion lasts 30 ms, the gNB may discard it."""
    binding = list(_BINDS.finditer(text))
    subject = _SUBJECT.search(text, 0, binding[0].start()) if len(binding) == 1 else None
    if subject is None or not _HAS_VERB.search(text, text.index(" "), subject.start()):
        return text
    return f"{text[: subject.start()]},{text[subject.start() :]}"


ENGLISH = (
    (r"\b(?:kindly|respectfully|politely) ", ""),
    (r"\b((?:19|20)\d0)s\b", r"\1decade"),
    (r"\b(?:(early|mid|late)[- ])?(\d{1,2})(?:st|nd|rd|th)[- ]century\b", _century),
    (r"(?<![\w.:])(\d{1,2})(?:[:.]([0-5]\d))? ?([ap])\.?m\b\.?", _clock),
    (r"(?<![\w.:])([01]?\d|2[0-4]):([0-5]\d)(?![\w:]|\.\d)", r"\1h\2"),
    (r"\bby (?=\d{1,2}h\d\d\b)", " atmost "),
    (r"\bfor each (?=[\w-]+(?: [\w-]+)?[.]?$)", "per "),
    (r"\b(?:is|are) not (?:allowed|permitted) to (?=[a-z])", "shall not "),
    (r"\b(?:is|are) (?:allowed|permitted) to (?=[a-z])", "may "),
    (r"\b(rais|voic)(?:ed|es?|ing) (?:an? )?objections? to\b", "object to"),
    (r"\bexcept for\b", "except"),
    (r"^(in (?:the )?(?:case|event) of (?:an? )?(?:[\w-]+ ){0,3}?[\w-]+) (?=the )", r"\1, "),
    (r"\bwould like to (inform|thank|ask|note|emphasise|emphasize|clarify)\b", r"\1s"),
    (r"\b(?:approximately|roughly|around|circa) (?=\d)", "about "),
    (r"\b(?:USD|US\$) ?(\d[\d,.]*(?: (?:million|billion))?)", r"\1 dollars"),
    (r"\bEUR ?(\d[\d,.]*(?: (?:million|billion))?)", r"\1 euros"),
    (r"\bdegrees? (?:Celsius|C)\b", "degC"),
    (r"\b(?:fiscal year|FY|fiscal) ?((?:19|20)\d\d)\b", r"\1 fiscal"),
    (r", where (?=(?:that|this|it) is )", ", if "),
    (rf"\b({_BINDING}|may) (?:therefore|thus|hence|consequently) ", r"\1 "),
    (r"^it was (agreed|decided|concluded|proposed|noted) (?:in|at|by) (\S+) that ", r"\2 \1 that "),
    (r"^(\S+#\S+) agreed (?!to |that |on )(.+?)(?=\.?$)", r"\2 was agreed at \1"),
    (r"\b(first|second|third|fourth) quarter\b", lambda found: f"{_QUARTERS[found[1].lower()]} quarter"),
    (r"\b(in|of|by|since|until|before|after|during|early|late|mid) May\b", r"\1 5 month"),
    (rf"\b({_MONTHS}) ((?:19|20)\d\d)\b", r"\2 \1"),
    (rf"\b(\d{{1,2}}) (to|-|–) ((?:\d{{4}} )?(?:{_MONTHS})) (\d{{1,2}}) day\b", r"\3 \1 day \2 \4 day"),
    (
        rf"\b(?:by|before) (?:the )?end of ((?:19|20)\d\d(?: fiscal)?|(?:\d{{4}} )?(?:{_MONTHS})|5 month)",
        r" atmost \1 end",
    ),
    (rf"\bby (?=(?:(?:the )?end of )?(?:(?:19|20)\d\d|(?:\d{{4}} )?(?:{_MONTHS}))\b)", " atmost "),
    (r"(?<=\b(?:in|for|of|by|to|from|until|since|before|after|during) )Q([1-4])\b", r"\1 quarter"),
    (
        r"\bonly (affects?|supports?|applies to|uses?|needs?|requires?|includes?|contains?|covers?|concerns?) ",
        r"\1 only ",
    ),
    (r"\b(\d[\d,.]*) (?:out )?of (?:the |its |all )?(\d[\d,.]*) (\w+)", r"\2 \3 \1 \3"),
    (r", (?:thus |thereby |hence )?(?:leading to|resulting in|causing)\b", ", which causes"),
    (r"\b(?:is|are)( not)? part of\b", r"is\1 included in"),
    (r"\bpoint of view\b", "viewpoint"),
    (r"\bin(?=sufficient(?:ly)?\b|adequate(?:ly)?\b|complete(?:ly)?\b)", "not "),
    (r"\b(?:is|are|be)( not)? feasible\b", r"can\1 be realized"),
    (r"\b(?:is|are|remains?|left) unspecified\b", "is not specified"),
    (r"\bon[- ]board\b", "onboard"),
    (r"\b(switch|turn|power)-o(ff|n)\b", r"\1o\2"),
    (r"\bco-(?=locat|exist|operat)", "co"),
    (r"\b(without|no|any) further (?=[a-z])", r"\1 additional "),
    (r"\beach other\b|\bone another\b", " mutually "),
    (r"(?<!\bthe )(?<!\bas )\bfollowing (?=\d|an? |the )|^following (?=[a-z])", "after "),
    (r"(\d[\d,.]* (?:[\w-]+ ){1,3})for each ", r"\1per "),
    (r", (?=without (?:an?|any|the|\w+ing) )", " "),
    (r"^((?:proposal|option|solution|alternative) \d+) is to (?=[a-z])", r"\1: "),
    (r"^(?:in|at) (\S+?),? it was (?=(?:agreed|decided|concluded|proposed|noted) )", r"\1 "),
    (r"\b(?:leads? to|results? in|gives? rise to)\b", "causes"),
    (r"\b(?:led to|resulted in|gave rise to)\b", "caused"),
    (r", of which (?=[\w ]{1,20}? (?:is|are|indicates?|shall|may|can|has|have|was|were)\b)", ", and "),
    (rf"\b(?:do|does) not (\w+)((?: (?!to |be )[\w-]+){{0,4}}?) (?=(?:{_MORE}|{_LESS}) than\b)", r"\1s\2 not "),
    (rf"\b({_BINDING}) not (\w+(?: (?!to |be )[\w-]+){{0,4}}?) (?=(?:{_MORE}|{_LESS}) than\b)", r"\1 \2 not "),
    (rf"\b({_BINDING}) not exceed\b{_NUMBER}", r"\1 be atmost "),
    (rf"\b(?:do|does|did) not exceed\b{_NUMBER}", "is atmost "),
    (
        r"(?<![\w.-])(-?\d[\d,.]*)\s*(-|–|to|and|or)\s*(-?\d[\d,.]*)\s?([a-zµ%]{1,12}(?:/[a-z]+)?)(?![\w-])",
        lambda found: (
            f"{found[1]} {found[4]} {_PARTING.get(found[2], found[2])} {found[3]} {found[4]}"
            if unit_of(found[4])
            else found[0]
        ),
    ),
    (
        r"^((?:in|for|at|under|during|within|with) (?:the|this|that|each|every|an?) (?:[\w-]+ ){0,3}?"
        r"(?!as |and |or )[\w-]{4,})"
        r"(?<! (?:with|from|into|between|than|through|over|under|both|only|during)) (?=(?:the|an?) )",
        r"\1, ",
    ),
    (
        r"\b(\w+)s ((?:the|an?|this) \w+) and ((?:the|an?) \w+) does not(?=[,.;]|$)",
        r"\1s \2 and \3 does not \1 \2",
    ),
    (r"^where (?=[^,]+,)", "if "),
    (r"^(?:when|if|once|after|while) [^,]+$", lambda found: _with_condition_closed(found[0])),
    (r"^only if ([^,]+?) (?:does|do) (?=(?:the|an?) )", r"only if \1, "),
    (rf"^only if ([^,]+?) ({_BINDING}|may) (?=(?:the|an?) )", r"only if \1, \2 "),
    (r"^(?:up)?on (?=[^,]*\b\w+(?:tion|ing|ry|al|ipt|ure|ment|ence)\b[^,]*,)", " if "),
    (r"\b(?:greater than or equal to|equal to or (?:above|greater than|more than)|at or above)\b", " atleast "),
    (r"\b(?:less than or equal to|equal to or (?:below|less than)|at or below|up to and including)\b", " atmost "),
    (rf"\b(?:no|not|never) (?:be )?(?:{_MORE}) than\b|\b(?:at (?:the )?most|a maximum of|not exceeding)\b", " atmost "),
    (rf"\b(?:no|not|never) (?:be )?(?:{_LESS}) than\b|\b(?:at (?:the )?least|a minimum of)\b", " atleast "),
    (r"\bat least (\d[\d,.]*) and at most (?=\d)", r"\1 to "),
    (r"^(?:as )?compared (with|to) ([^,]+), ([^,]+?)(?=[.]?$|,)", r"\3 compared \1 \2"),
    (r"\b(?:is|are|be) ((?:not |only )*)applicable\b", r"can \1apply"),
    (r"\bonly (\w+(?: to)?) (?=(?:when|if)\b)", r"\1 only "),
    (r"\bkindly (?=\w+ed\b)", ""),
    (rf"(?<=[a-z] )(?:that|which) (?:is|are) (?!{_GRADED})(?=[a-z]+ed (?:by|in|for|on|from)\b)", ""),
    (r"\bone or more\b", " atleast 1 "),
    (rf"\bup to\b{_NUMBER}", " atmost "),
    (rf"\bwithin\b{_NUMBER}", " withinmost "),
    (rf"\b(?:(?:{_MORE}) than|(?:over|above)(?! (?:one|a)\b)|exceed(?:s|ed|ing)?)\b{_NUMBER}", " morethan "),
    (rf"\b(?:(?:{_LESS}) than|(?:below|under)(?! (?:one|a)\b))\b{_NUMBER}", " lessthan "),
    (rf"\b(?:every|each)\b{_NUMBER}", " atevery "),
    (rf"\b(\d[\d,.]*(?: ?[\w%/]+)?) or (?:{_MORE})\b", r" atleast \1"),
    (rf"\b(\d[\d,.]*(?: ?[\w%/]+)?) or (?:{_LESS})\b", r" atmost \1"),
    (r"\b(?:in (?:the )?(?:case|event)(?: of| that)?|provided that|on condition that|as soon as)\b", " if "),
    (r"\bas long as\b", " while "),
    (r"\b(?:due to|because of|owing to)\b", " because "),
    (r"\bprior to\b", " before "),
    (r"\b(\d+)(?:st|nd|rd|th) percentile\b", r"\1 percentile"),
    (r"^(?:(?:an?|the) )?((?:[\w-]+ ){1,5})ha(?:s|ve) an? ((?:[\w-]+ ){1,5})of (?=\d)", r"The \2of \1is "),
    (r"^(?:(?:an?|the) )?((?:[\w-]+ ){1,5})ha(?:s|ve) an? ((?:[\w-]+ ){1,5})limited to ", r"The \2of \1is limited to "),
    (
        r"^(?:(?:an?|the) )?((?:[\w-]+ ){1,5})ha(?:s|ve) an? ((?:[\w-]+ ){1,5})(?:that|which) is (?=\d)",
        r"The \2of \1is ",
    ),
    (r"(?<=[\w,] )using (?=(?:the|an?|[\w-]+) )", "with "),
    (r"\bthan (?:(?:that|those) )?(?:with|in|for|by|at|on|of) ", "than "),
    (r"\bat (?:the same time|once)\b|\bconcurrently\b", " simultaneously "),
    (r"\blies? (?=between|within|in\b)", "is "),
    (r"\bgets? (?=\w+ed\b)", "is "),
    (r"\bneeds? not\b", "may not need to"),
    (r"\bin order to\b", " to "),
    (r"\b(by|for|to|in|of|with|on) ((?:[\w-]+ ){1,3})alone\b", r"\1 only \2"),
    (r"\b((?:stud|investigat|discuss|ask|clarif|evaluat)\w*) how\b", r"\1 whether how"),
    (r"\b(?:no|not any) longer\b", " not "),
    (r"\bonce(?= (?:per|an?|every|each|in)\b|\W*$| +atevery)|(?<=\b(?:most|least|only) )once\b", "1 time"),
    (r"\bimmediately after\b", " if "),
    (r"\bin the range (?:of|from)\b", " from "),
    (r"\bthere (?:is|are)\b", " "),
    (r"\btwice (?=the|as)\b", " 2 fold "),
    (r"\b(the \w+) one\b", r"\1"),
    (r"\b(?:took|takes?|taking|taken) place\b", " happens "),
    (r"\bcarr(y|ies|ied|ying) out\b", lambda found: {"y": "perform", "ies": "performs"}.get(found[1], "performed")),
    (r"\bf[ae]lls? back to\b", " uses "),
    (r"\blook(?:s|ed|ing)? for\b", " search "),
    (r"\b(?:tells?|told) apart\b", " distinguish "),
    (r"\b(?:is |are )?(?:left )?for further study\b", " is FFS "),
    (r"\b(?:is|are|be) unable to\b", " can not "),
    (r"\b(?:remains?|is|are) able to\b", " can "),
    (r"\bha(?:s|ve) to\b", " must "),
    (r"\bis to\b(?= [a-z])", " must "),
    (r"\b(?:instead of|rather than)\b", " insteadof "),
    (r",? (?:and|but) not (?:by|to|from|in|on|for|via|with) (?=(?:the|an?|[A-Z]))", " insteadof "),
    (r"(?:,|,? and|,? but) not per (?=[a-z])", " insteadof per "),
    (r"\bby default\b", " default "),
    (r"\b(\d+(?:\.\d+)?) (million|billion|thousand)\b", _written_out),
    (r"\bset(?:s|ting)? up\b", " establish "),
    (r"\bonly (\w+ed|sent|set|kept|made) (?=(?:for|by|in|on|to|during|with|when|if|after|at|from)\b)", r"\1 only "),
    (
        r"\b(?:is|are|was|were)( not)? (?:(start|end)|(stop)p|(continu|resum|terminat|complet|chang|increas|decreas))"
        r"ed\b(?! by\b)",
        lambda found: f"does not {_base(found)}" if found[1] else f"{_base(found)}s",
    ),
    (r"\b(?:is|are|was|were)( not)? applied\b(?! by\b)", lambda found: " does not apply" if found[1] else " applies"),
    (r"^whether (.+) is (?:still )?(?:FFS|for further study)", r"It is FFS whether \1"),
    (r"\b((?:indicat|check|determin|verif|ask|decid)\w*[^.;,]{0,30}?) if\b", r"\1 whether"),
    (r"^(?:in )?step (\d+)\s*[:,]\s*", r"In step \1 , "),
    (r"\bi\.e\.|\be\.g\.|\bnamely\b|\baccording to\b|\bso far\b", " , "),
    (r"\b(?:a|the) lack of\b|\bthe absence of\b", " no "),
    (r"\b(?:out of|outside)(?: of)? (?:the )?scope\b", " not within scope "),
    (r"\b(the|an?|of|for|in|as) forbidden\b", r"\1 barred"),
    (r"\bnon-(?=[a-z]+ed\b)", "non"),
    (r"\bback-off\b", "backoff"),
    (r"\bboth (?=(?:(?!(?:by|to|from|in|on|for|with|at|via|over)\b)[\w-]+ ){1,6}?and\b)", ""),
    (r"\bthe present (?=(?:cr|document|contribution|paper|change request)\b)", "this "),
    (r"\black(?:s|ed)?\b(?! of)", " does not have "),
    (r"\b(?:switch|turn|power)(?:e?d|e?s|ing)? on\b", " activated "),
    (r"\b(?:switch|turn|power)(?:e?d|e?s|ing)? off\b", " deactivated "),
)
