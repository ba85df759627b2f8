"""A language model behind a server: one question, one answer, read with tolerance and asked for once more if need be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelRefused, nearest
from siltstone.models.completion_answers import looks_cut, mended_object, whole_object, without_thoughts
from siltstone.models.completion_anthropic import AnthropicDialect
from siltstone.models.completion_form import Dialect, Form, Reply, Request, with_schema
from siltstone.models.completion_gemini import GeminiDialect
from siltstone.models.completion_openai import OpenAIDialect
from siltstone.models.completion_server import CompletionServer, words_of
from siltstone.models.http import Policy, Time

LIMIT = 2_048
ROOM = 2_048
"""Tokens added where the limit left no room for an answer: models that think spend the limit on thinking."""
SHOWN = 60
DIALECTS: dict[str, Callable[[], Dialect]] = {
    "anthropic": AnthropicDialect,
    "openai": OpenAIDialect,
    "gemini": GeminiDialect,
}
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken(Generic[Found]):
    """What was read out of a reply, and whether asking again may give more."""

    found: Found | None
    whole: bool


def open_completion(
    provider: str,
    *,
    model: str,
    api_key: str | None = None,
    base_url: str = "",
    policy: Policy | None = None,
    time: Time | None = None,
) -> EndpointCompletion:
    """The model of a provider ("anthropic", "openai" or "gemini"), at `base_url` where it is not the provider's own.

    `base_url` is a server's root, its versioned base or the full endpoint. Nothing is sent. Raises InvalidInput.
    """
    if provider not in DIALECTS:
        raise InvalidInput(f"no completion is provided by {provider!r}; {nearest(provider, DIALECTS)}")
    dialect = DIALECTS[provider]()
    server = CompletionServer(
        base_url or dialect.address,
        api_key=api_key,
        key_header=dialect.key_header,
        headers=dialect.headers,
        policy=policy,
        time=time,
    )
    return EndpointCompletion(server, dialect, model=model)


class Asking:
    """Asks for an answer and reads it with tolerance, once more where the first leaves something to be wished."""

    def __init__(self, *, model: str, limit: int = LIMIT) -> None:
        if not model.strip() or limit < 1:
            raise InvalidInput(f"no completion has model {model!r} and limit {limit}; name the model")
        self._model, self._limit = model.strip(), limit

    def complete_json(self, instructions: str, text: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The object that was asked for. One that was cut off is asked for again, and else taken as far as it goes."""
        request = Request(instructions=instructions, text=text, limit=self._limit, schema=schema)
        return self._twice(request, lambda reply: _object(reply, schema))

    def complete_text(self, instructions: str, text: str, limit: int) -> str:
        """The text without thoughts and NUL; one that was cut off ends with its last whole sentence, if it has one."""
        request = Request(instructions=instructions, text=text, limit=limit)
        return self._twice(request, _text)

    def _ask(self, request: Request) -> Reply:
        """One reply to the request. Raises ModelError."""
        raise NotImplementedError

    def _twice(self, request: Request, take: Callable[[Reply], _Taken[Found]]) -> Found:
        """What `take` finds in the first answer, or in a second one where the first leaves something to be wished."""
        try:
            first = self._ask(request)
        except ModelAnswerInvalid:
            first = Reply()
        taken = take(first)
        if taken.found is not None and taken.whole:
            return taken.found
        try:
            again = take(self._ask(_firmer(request, first)))
        except ModelRefused:
            if taken.found is None:
                raise
            again = taken
        found = again.found if again.found is not None else taken.found
        if found is None:
            raise ModelAnswerInvalid(
                f"{self._model} answered twice what cannot be read, at first {_beginning(first)}; ask a model that "
                "follows instructions better, or raise its token limit"
            )
        return found


class EndpointCompletion(Asking):
    """Asks a server in its provider's dialect. Implements `ports.models.Completion`; threads may share one.

    What the server turns out not to understand (a schema, a temperature) is left out from then on. Raises ModelRefused where
    this request is refused for good, by the server or by the model; ModelUnavailable where it may pass later, or when
    a person mends the settings; ModelAnswerInvalid where two answers in a row could not be read.
    """

    def __init__(self, server: CompletionServer, dialect: Dialect, *, model: str, limit: int = LIMIT) -> None:
        super().__init__(model=model, limit=limit)
        self._server, self._dialect = server, dialect
        self._form, self._room = Form(), 0

    def __repr__(self) -> str:
        return f"EndpointCompletion({self._server!r}, {self._dialect.name}, model={self._model!r})"

    @property
    def fingerprint(self) -> str:
        """Provider and model; not the host, which may change."""
        return f"{self._dialect.name}/{self._model}"

    def close(self) -> None:
        """Releases the connections; the next call opens new ones."""
        self._server.close()

    def _ask(self, request: Request) -> Reply:
        clean = replace(request, text=request.text.replace("\0", ""), limit=request.limit + self._room)
        reply = self._dialect.read(self._post(clean))
        if reply.refusal:
            raise ModelRefused(
                f"{self._model} refused to answer ({reply.refusal[:SHOWN]}); the text is kept as it is, or ask "
                "another model",
                status=200,
            )
        if reply.cut and reply.value is None and not without_thoughts(reply.text):
            self._room = ROOM
        return reply

    def _post(self, request: Request) -> Any:
        """The server's answer, in the form that it understands: what it complains about is left out, one by one."""
        form, path = self._form, self._dialect.path(self._model)
        while True:
            body = self._dialect.body(self._model, request, form)
            try:
                answer = self._server.post_json(path, body, version=self._dialect.version)
            except ModelRefused as refusal:
                easier = form.easier(words_of(refusal), structured=request.schema is not None)
                if easier is None:
                    raise
                form = easier
            else:
                self._form = form
                return answer


Ask = Callable[[str, str, int], tuple[str, bool]]
"""(instructions, text, limit in tokens) → what the model wrote, and whether the limit cut it off. Raises ModelError."""


class AskedCompletion(Asking):
    """A model that somebody else reaches, e.g. the program that Siltstone is a plugin of, as a `Completion`."""

    def __init__(self, ask: Ask, *, model: str, limit: int = LIMIT) -> None:
        super().__init__(model=model, limit=limit)
        self._reach = ask

    @property
    def fingerprint(self) -> str:
        """The name that was given; nothing else is known of the model."""
        return self._model

    def _ask(self, request: Request) -> Reply:
        told = request.instructions
        if request.schema is not None:
            told = with_schema(told, request.schema)
        text, cut = self._reach(told, request.text.replace("\0", ""), request.limit)
        return Reply(text=text, cut=cut)


def _firmer(request: Request, reply: Reply) -> Request:
    """The request once more: with the schema in words where an object is wanted, with more room where that ran out."""
    limit = request.limit * 2 if reply.cut else request.limit
    if request.schema is None:
        return replace(request, limit=limit)
    return replace(request, limit=limit, instructions=with_schema(request.instructions, request.schema))


def _object(reply: Reply, schema: Mapping[str, Any]) -> _Taken[dict[str, Any]]:
    answer = reply.text if reply.value is None else reply.value
    if (found := whole_object(answer, schema)) is not None:
        return _Taken(found=found, whole=not reply.cut or isinstance(answer, str))
    cut = reply.cut or looks_cut(reply.text)
    return _Taken(found=mended_object(answer, schema, cut=cut), whole=not cut)


def _text(reply: Reply) -> _Taken[str]:
    text = without_thoughts(reply.text)
    if reply.cut and (end := max(map(text.rfind, ".!?。！？"))) > 0:
        text = text[: end + 1]
    return _Taken(found=text or None, whole=True)


def _beginning(reply: Reply) -> str:
    return repr(reply.text[:SHOWN]) if reply.value is None else type(reply.value).__name__
