"""Every sentence the Drive search says to a person, in Japanese and English, in one place.

「見つかりませんでした」 and 「10 件以下に絞り込めませんでした」 are a contract: other programs look for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Language
from locator_search.model import FacetName


@dataclass(frozen=True, slots=True)
class Sentences:
    """All sentences in one language; names in braces are filled in with `str.format`."""

    # How it ended
    found_one: str
    found: str
    found_in_order: str
    found_best_of: str
    low_similarity: str
    not_found: str
    not_found_closest: str
    not_found_tried: str
    not_found_conditions: str
    too_many: str
    needs_answer: str

    # What was understood and changed
    period: str
    types: str
    conditions_only: str
    relaxed: str
    keywords_dropped: str
    conditions_dropped: str
    rewritten: str
    raised: str
    lowered: str
    chosen: str
    answer_added: str
    skipped: str
    answer_left_nothing: str
    model_silent: str
    gone: str
    folded: str
    unverified: str
    synonyms_unreadable: str
    synonyms_bad_lines: str

    # Narrowing questions without a model
    questions: Mapping[FacetName, str]
    open_question: str

    # What is being done now
    progress: Mapping[str, str]

    # Refusals
    question_empty: str
    question_empty_hint: str
    question_too_long: str
    question_too_long_hint: str
    threshold_out_of_range: str
    number_too_small: str
    nothing_asked: str

    comma: str
    space: str
    """The space between two sentences."""

    def together(self, *sentences: str) -> str:
        """Several sentences as one text; empty ones are left out."""
        return self.space.join(sentence for sentence in sentences if sentence)


JAPANESE = Sentences(
    found_one="1 件見つかりました。",
    found="{count} 件見つかりました。",
    found_in_order="{count} 件見つかりました。質問の意図に近い順に並べています。",
    found_best_of="{hits} 件のうち、類似度 {threshold:.2f} 以上の {count} 件を、質問の意図に近い順に表示します。",
    low_similarity="類似度は低めです（最高 {similarity:.2f}）。",
    not_found="見つかりませんでした。",
    not_found_closest="質問に近いファイルを {count} 件挙げます（いつもの類似度には届きません）。",
    not_found_tried="試したこと: {tried}",
    not_found_conditions="指定された条件（期間・種類など）を外すと見つかるかもしれません。",
    too_many="10 件以下に絞り込めませんでした（{hits} 件）。上位 {count} 件を表示します。",
    needs_answer="{hits} 件あります。次の質問に答えると絞り込めます。",
    period="期間を {period} に絞りました。",
    types="種類を {types} に絞りました。",
    conditions_only="条件だけの質問なので、条件に合うファイルをすべて対象にしました。",
    relaxed="類似度のしきい値を {threshold:.2f} に下げました。",
    keywords_dropped="キーワード「{words}」を外しました。",
    conditions_dropped="条件に合う資料がなかったため、質問から読み取った条件（{conditions}）を外しました。",
    rewritten="検索クエリを「{query}」に書き直しました。",
    raised="類似度のしきい値を {threshold:.2f} に上げました。",
    lowered="該当がなかったため、類似度のしきい値を {threshold:.2f} に戻しました。",
    chosen="「{label}」に絞りました。",
    answer_added="回答「{answer}」を質問に加えました。",
    skipped="絞り込みの質問には答えずに進みました。",
    answer_left_nothing="絞り込むと該当がなくなったため、その前の {hits} 件から表示します。",
    model_silent="言語モデルが応答しなかったため、一部を省いて検索しました。",
    gone="{count} 件は取得元から削除されたか閲覧できないため、除きました。",
    folded="{count} 件は同じ文書の版やコピーのため、まとめて表示しています。",
    unverified="{count} 件は取得元で確認できていません。",
    synonyms_unreadable="同義語の辞書（{file}）を読めません。",
    synonyms_bad_lines="同義語の辞書（{file}）の {lines} 行目は読み飛ばしました（2 語以上をコンマで区切ります）。",
    questions={
        "folder": "どのフォルダの資料をお探しですか？",
        "period": "いつ頃の資料をお探しですか？",
        "type": "どの種類のファイルをお探しですか？",
        "keyword": "どの話題の資料をお探しですか？",
        "owner": "どなたの資料をお探しですか？",
    },
    open_question="お探しの資料について、ほかに分かることはありますか？",
    progress={
        "ExtractKeywords": "検索キーワードを選んでいます",
        "Retrieve": "索引を検索しています",
        "Verify": "ファイルの存在を確認しています",
        "Rerank": "質問の意図に近い順に並べています",
        "WordQuestion": "絞り込みの質問を考えています",
        "Rewrite": "検索クエリを書き直しています",
        "RelaxKeywords": "条件を緩めています",
        "Record": "検索を記録しています",
    },
    question_empty="質問が空です。",
    question_empty_hint='探したい資料を言葉で書いてください。例: document-locator search "先月の売上報告"',
    question_too_long="質問が長すぎます（{length} 文字。上限は {limit} 文字です）。",
    question_too_long_hint="要点だけを書いてください。",
    threshold_out_of_range="しきい値は 0 から 1 の数で指定してください（{value} が指定されました）。",
    number_too_small="{name} は 1 以上で指定してください（{value} が指定されました）。",
    nothing_asked="この検索は回答を待っていません。",
    comma="、",
    space="",
)

ENGLISH = Sentences(
    found_one="One file was found.",
    found="{count} files were found.",
    found_in_order="{count} files were found, in the order of what you seem to mean.",
    found_best_of="Of {hits} files, these {count} with a similarity of {threshold:.2f} or more, best first.",
    low_similarity="The similarity is low ({similarity:.2f} at most).",
    not_found="Nothing was found.",
    not_found_closest="The {count} files nearest to the question are named; they are below the usual similarity.",
    not_found_tried="What was tried: {tried}",
    not_found_conditions="Without the conditions you set (period, type, ...) there may be something.",
    too_many="The files could not be narrowed down to 10 or fewer ({hits} files). Here are the best {count}.",
    needs_answer="There are {hits} files. Answer this question to narrow them down.",
    period="Limited to the period {period}.",
    types="Limited to the type {types}.",
    conditions_only="The question names conditions only, so every file that meets them counts.",
    relaxed="The similarity threshold was lowered to {threshold:.2f}.",
    keywords_dropped="The keyword “{words}” was left out.",
    conditions_dropped="No file met the conditions, so the {conditions} read from the question was dropped.",
    rewritten="The query was rewritten as “{query}”.",
    raised="The similarity threshold was raised to {threshold:.2f}.",
    lowered="That left nothing, so the similarity threshold went back to {threshold:.2f}.",
    chosen="Narrowed to “{label}”.",
    answer_added="The answer “{answer}” was added to the question.",
    skipped="Went on without an answer to the narrowing question.",
    answer_left_nothing="Narrowing further left nothing, so these are from the {hits} files before it.",
    model_silent="The language model did not answer, so some steps were left out.",
    gone="{count} files are no longer at their source or may not be read, and were left out.",
    folded="{count} files are versions or copies of those shown, and are folded under them.",
    unverified="{count} files could not be checked at their source.",
    synonyms_unreadable="The synonym dictionary ({file}) cannot be read.",
    synonyms_bad_lines="Line {lines} of the synonym dictionary ({file}) was left out: it needs two or more words.",
    questions={
        "folder": "Which folder is it in?",
        "period": "From about when is it?",
        "type": "What kind of file is it?",
        "keyword": "Which topic is it about?",
        "owner": "Whose file is it?",
    },
    open_question="Is there anything else you know about the file?",
    progress={
        "ExtractKeywords": "Choosing search keywords",
        "Retrieve": "Searching the index",
        "Verify": "Checking that the files still exist",
        "Rerank": "Putting the files into the order of what you mean",
        "WordQuestion": "Thinking of a narrowing question",
        "Rewrite": "Rewriting the query",
        "RelaxKeywords": "Relaxing the search",
        "Record": "Recording the search",
    },
    question_empty="The question is empty.",
    question_empty_hint='Say what you look for, for example: document-locator search "sales report of last month"',
    question_too_long="The question is too long ({length} characters; the limit is {limit}).",
    question_too_long_hint="Write only what matters.",
    threshold_out_of_range="The threshold must be a number from 0 to 1 (got {value}).",
    number_too_small="{name} must be 1 or more (got {value}).",
    nothing_asked="This search is not waiting for an answer.",
    comma=", ",
    space=" ",
)


def sentences(language: Language) -> Sentences:
    """All sentences in one language."""
    return JAPANESE if language == "ja" else ENGLISH
