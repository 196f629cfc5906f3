"""Errors as whole sentences: JSON under /api, a small page elsewhere."""

from functools import partial

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from web_ui.access import address, door
from web_ui.errors import RequestError
from web_ui.i18n import LANGUAGES, text
from web_ui.parsing import language

_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 500: "internal"}

_TOLD = frozenset({"Allow", "Content-Range"})
"""Headers with which an error says what is possible instead: methods, the size of a file."""


def install(app: Flask) -> None:
    """Answer every error of an application in the form of the page it happened on."""
    app.register_error_handler(RequestError, _request_error)
    app.register_error_handler(HTTPException, _http_error)


def _request_error(error: RequestError) -> Response:
    _tell(error.code)
    response = _answer(error.status, error.code, **error.values)
    response.headers.update(error.headers)
    return response


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:  # a redirect is no error
        return make_response(error.get_response())
    if isinstance(error, InternalServerError):
        current_app.logger.error("%s %s failed.", request.method, request.path)
    code = _CODES.get(status, "bad_request")
    _tell("bad_path" if status == 404 and _climbs(request.path) else code)
    response = _answer(
        status, code, found=request.method, limit=current_app.config["MAX_CONTENT_LENGTH"]
    )
    for name, value in error.get_headers():
        if name in _TOLD:
            response.headers[name] = value
    return response


def _tell(code: str) -> None:
    door().refusals.refused(code, address=address(), logger=current_app.logger)


def _climbs(path: str) -> bool:
    """Tell whether a path looks for files outside of what it names."""
    return ".." in path or "\\" in path or "\0" in path or "//" in path


def _answer(status: int, code: str, **values: object) -> Response:
    if request.path.startswith("/api/"):
        texts = {lang: text(lang, f"error.{code}", **values) for lang in LANGUAGES}
        body = {"code": code, "text": texts[language()]}
        body |= {f"text_{lang}": said for lang, said in texts.items()}
        return make_response(jsonify(error=body), status)
    lang = language()
    page = render_template(
        "error.html",
        lang=lang,
        t=partial(text, lang),
        status=status,
        reason=text(lang, f"error.{code}", **values),
    )
    return make_response(page, status)
