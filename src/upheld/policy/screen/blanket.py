"""Blanket triggers: a trigger in which no word names a task fires on everything."""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.fold import fold, skeleton, words
from upheld.policy.screen.shown import excerpt

# Words that name no task, by language. A trigger made of nothing else is a blanket one.
_EMPTY_WORDS = frozenset(
    """
        a an the always every everything everytime any anything anytime anyone all each constantly whenever
        when while if on in at for of to with by during before after before about regardless no matter what
        which whatever whichever ever never task tasks prompt prompts query queries message messages request
        requests conversation conversations chat chats session sessions question questions turn turns time
        times input inputs interaction interactions situation situations case cases context contexts
        response responses reply replies answer answers answering responding replying user users asks ask
        asking says agent assistant model you your i we are is be do does doing done work working start
        starting begin beginning end thing things and or single possible topic topics occasion occasions job
        jobs general generally universal universally default applies immer jede jeder jedes jedem jeden alle
        aller alles allen stets ständig bei wenn in der die das den dem und oder für aufgabe aufgaben
        anfrage anfragen nachricht nachrichten frage fragen gespräch gespräche sitzung eingabe eingaben egal
        was wann mal fall fälle irgendeine irgendein toujours chaque tout toute tous toutes tâche tâches
        demande demandes message requête requêtes question conversation conversations session fois quelle
        quel que soit la le les de du des à dans pour pendant lors quand et ou n importe quoi siempre cada
        todo toda todos todas cualquier cualquiera tarea tareas petición peticiones mensaje mensajes
        pregunta preguntas conversación conversaciones sesión vez veces el los las una un en para cuando y o
        de del sempre cada todo toda todos todas qualquer tarefa tarefas pedido pedidos mensagem mensagens
        pergunta perguntas conversa conversas sessão vez vezes em para quando e ou os as ao do da ogni tutti
        tutte tutto qualsiasi compito compiti richiesta richieste messaggio messaggi domanda volta per
        zawsze każde każdego każdy każdej każda każdym wszystkie wszystko wszystkich dowolne dowolny zadanie
        zadania zadaniu zadań prośba prośby wiadomość wiadomości pytanie pytania rozmowa rozmowie sesja raz
        za przy w na dla gdy i lub всегда каждый каждая каждое каждую каждого каждой каждом любой любая
        любое любую любом любого все всё всех всем постоянно задача задачи задаче задачу задач запрос
        запросы запросе запросов сообщение сообщения сообщении вопрос вопросе вопросы разговор разговоре
        сессия раз при в на для когда и или во πάντα πάντοτε κάθε όλα όλες όλοι οποιαδήποτε οποιοδήποτε
        εργασία εργασίες αίτημα αιτήματα μήνυμα ερώτηση φορά σε για όταν και ή την τη το του دائما دائمًا كل
        أي جميع مهمة المهام طلب الطلبات رسالة الرسائل سؤال محادثة مرة في عند على كلما وقت همیشه هر همه
        هرگونه وظیفه کار کارها درخواست درخواستی پیام سوال گفتگو بار وقت در برای هنگام کاری ای תמיד כל בכל
        לכל משימה המשימות בקשה הבקשות הודעה שאלה שיחה פעם זמן עת כאשר हमेशा हर सभी प्रत्येक कोई भी कार्य
        कार्यों अनुरोध संदेश प्रश्न बातचीत बार समय में के लिए जब पर किसी her zaman daima tüm bütün görev
        istek mesaj soru için de
        """.split()
)
_MARKED = frozenset("".join(words(word)) for word in _EMPTY_WORDS) | _EMPTY_WORDS
# Chinese, Japanese and Korean are not written in words: what is left after these pieces must be nothing.
_EMPTY_PIECES = re.compile(
    "每一?[次个個轮輪条]|所有|任何|任意|一切|全部|总是|總是|始终|始終|永远|永遠|无论|無論|什么|什麼|任务|任務|对话|對話|请求|請求|提示词?|時候|时候|时|時|"
    "问题|問題|消息|訊息|用户|用戶|会话|會話|回答|回复|之前|之后|在|当|當|的|都|情况|情況|下|中|"
    "常に|毎回|いつも|すべて|全て|どんな|あらゆる|いかなる|とき|場合|タスク|作業|会話|質問|プロンプト|リクエスト|メッセージ|全|[のにでもはをが]|"
    "항상|언제나|모든|매번|어떤|작업|요청|대화|질문|프롬프트|메시지|상황|마다|때|에서|에|의|든지|경우"
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ANYWHERE = re.compile(
    r"\b(?:regardless of|no matter) (?:the |what |which )?(?:task|topic|question|request|prompt|subject)|"
    r"^\W{0,4}(?:always|every ?time|at all times|(?:for |on |in |before |during )?(?:every|any|all|each)(?: single| and every)? "
    r"(?:tasks?|prompts?|messages?|requests?|conversations?|sessions?|turns?|quer(?:y|ies)|questions?|interactions?|inputs?|tool calls?))"
    r"\W{0,3}(?:$|[,;:(—–-]|(?:including|especially|such as|like|e\.g|no exceptions?|without exception|whatever)\b)",
    re.MULTILINE,
)
_NAMING_LETTERS = frozenset("bfghkpqrvx")
"""Letters that are no word of the languages above, nor what is left of one before an apostrophe: they name something."""
_WILD = re.compile(r"[\s.*?+/\\^$()|\[\]{}]*(?:\\[wsdWSD][*+]?)?[\s.*?+/\\^$()|\[\]{}]*")


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL041 for a trigger sentence that names no task, and for matchers that match everything."""
    if draft.read_when.strip() and is_blanket(draft.read_when):
        yield Hit(code="POL041", field="read_when", facts=(("trigger", excerpt(draft.read_when)),))
    for n, matcher in enumerate(draft.trigger):
        if is_blanket(matcher) or (len(matcher) < 200 and _WILD.fullmatch(matcher)):
            yield Hit(code="POL041", field=f"trigger[{n}]", facts=(("matcher", excerpt(matcher)),))


def is_blanket(trigger: str) -> bool:
    """Whether no word of the trigger names a task, in any of the languages above."""
    folded = fold(trigger)
    return any(map(_names_no_task, {folded, skeleton(folded)}))


def _names_no_task(folded: str) -> bool:
    if _ANYWHERE.search(folded):
        return True
    if _CJK.search(folded):
        rest = _EMPTY_PIECES.sub(" ", folded)
        return not [word for word in words(rest) if word not in _MARKED]
    found = words(folded)
    return all(word in _MARKED or (len(word) == 1 and word not in _NAMING_LETTERS) for word in found)
