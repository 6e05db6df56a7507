"""The local server of `balance live`: one page, its actions, and a stream of messages. It answers this machine only.

Each address begins with a secret token. A request must name this server as its host, and a page of another origin is
refused, so that no web site can read or change anything, even if it guesses the port.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import socket
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from balance.contract.game import find_games, get_game_of_run
from balance.foundation.errors import BalanceError
from balance.foundation.files import create_file, reason
from balance.foundation.language import tr
from balance.live.arms import CLOSE_SECONDS, Settings
from balance.live.messages import MessageBoard
from balance.live.runs import RunWatch
from balance.live.session import Session
from balance.live.shown import read_script, render, write_error

HOST = "127.0.0.1"
_MOST_BODY = 2_000_000  # bytes
_MOST_LISTENERS = 16
_PULSE = 10.0  # seconds between two signs of life
PATIENCE = 10.0  # seconds from the first part of a request to the last
_OWN = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:"
_WRITTEN = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:"
)
_NO_FRAME = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Middleware that refuses other hosts, other origins, other addresses and large bodies, before anything is read."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on."""
        if scope["type"] != "http":
            return  # the page opens no sockets
        refused = self._refuse(Request(scope))
        await (refused or self._app)(scope, receive, send)

    def _refuse(self, request: Request) -> Response | None:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return _say(tr("this server answers its own address only"), 421)
        if origin is not None and origin != f"http://{host}":
            return _say(tr("pages of another origin may not use this server"), 403)
        is_opened = request.method == "GET" and request.headers.get("sec-fetch-dest") == "document"
        site = request.headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not is_opened:  # a link in a terminal opens the page
            return _say(tr("pages of another site may not use this server"), 403)
        own = request.url.path.removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(own.encode(), self._token.encode()):
            return _say(tr("open the address that `balance live` printed"), 403)
        if request.method == "POST":
            if origin is None:
                return _say(tr("a change must come from the page"), 403)
            if request.headers.get("content-type") != "application/json":
                return _say(tr("a change must be JSON"), 415)
            length = request.headers.get("content-length", "")
            if not length.isdigit() or int(length) > _MOST_BODY:
                return _too_large()
        return None


def _too_large() -> Response:
    return _say(tr("a request has at most {n:,} bytes", n=_MOST_BODY), 413)


async def _read_body(request: Request) -> bytes | None:
    """Return the body; None if it is too large, whatever its headers say."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BODY:
            return None
    return body


def _say(text: str, status: int) -> Response:
    return PlainTextResponse(text, status, _HEADERS)


class Site:
    """The page and what it asks for.

    Parameters
    ----------
    settings : Settings or None
        What the session plays; None where no game was chosen.
    choose : callable
        Returns the settings for a game that the page chooses.
    watch : RunWatch
        The runs that the page shows.
    """

    def __init__(self, settings: Settings | None, choose: Callable[[str], Settings], watch: RunWatch) -> None:
        self.board, self.pages = MessageBoard(), dict[str, Path]()
        self._choose, self.watch = choose, watch
        self.session: Session | None = None
        self.is_closing = False
        if settings is not None:
            self._open(settings)
        watch.start(self.board, self.pages)

    def _open(self, settings: Settings) -> None:
        self.session = Session(settings, self.board, self.pages)
        self.session.start()

    def close(self) -> None:
        """Stop everything that plays; a second call does nothing."""
        if self.is_closing:
            return
        self.is_closing = True
        self.board.publish("end", "")  # wakes the streams, which end
        self.watch.close()
        if self.session:
            self.session.close()

    def app(self, token: str, port: int) -> Starlette:
        """Return the application."""
        routes = [
            Route("/", self._page),
            Route("/live.js", self._script),
            Route("/live.css", self._style),
            Route("/about", self._about),
            Route("/events", self._events),
            Route("/do/{action}", self._do, methods=["POST"]),
            Route("/pages/{name}", self._written),
        ]
        mounted = [Route(f"/{token}{each.path}", each.endpoint, methods=each.methods) for each in routes]
        return Starlette(routes=mounted, middleware=[Middleware(Guard, token=token, port=port)])

    async def _page(self, request: Request) -> Response:
        games = [(game.name, game.title, tr(game.summary)) for game in find_games().values()]
        about = self.session.describe() if self.session else None
        text = render("live.html.jinja", about=about, games=games, watching=self.watch.is_on)
        return Response(text, media_type="text/html", headers=_with_policy(_OWN))

    async def _script(self, request: Request) -> Response:
        return Response(read_script(), media_type="text/javascript", headers=_HEADERS)

    async def _style(self, request: Request) -> Response:
        text = render("report.css") + render("live.css")
        return Response(text, media_type="text/css", headers=_HEADERS)

    async def _about(self, request: Request) -> Response:
        return JSONResponse(self.session.describe() if self.session else {}, headers=_HEADERS)

    async def _do(self, request: Request) -> Response:
        action = request.path_params["action"]
        content = await _read_body(request)
        if content is None:
            return _too_large()
        try:
            body = json.loads(content)
            # Half a letter (a lone surrogate) can't be answered.
            json.dumps(body, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            return JSONResponse({"error": tr("not JSON")}, 400, _HEADERS)
        if not isinstance(body, dict):
            return JSONResponse({"error": tr("a change is a JSON object")}, 400, _HEADERS)
        try:
            return JSONResponse(await run_in_threadpool(self.act, action, body), headers=_HEADERS)
        except BalanceError as error:
            return JSONResponse({"error": str(error)}, 422, _HEADERS)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            return JSONResponse({"error": f"{place}{reason(error)}"}, 422, _HEADERS)
        except Exception as error:  # a fault of a game or of ours; the page shows it
            return JSONResponse({"error": write_error(error)}, 500, _HEADERS)

    def act(self, action: str, body: dict[str, Any]) -> dict[str, Any]:
        """Do what a page asks; return what it answers."""
        if action == "game" and self.session is None:
            get_game_of_run(str(body.get("name", "")))  # a page may not start code in any folder
            self._open(self._choose(str(body["name"])))
            return {}
        if action == "report":
            return self.watch.write_report(str(body.get("run", "")))
        if self.session is None:
            raise BalanceError(tr("choose a game first"))
        return self.session.act(action, body)

    async def _events(self, request: Request) -> Response:
        if self._is_full():
            return _say(tr("at most {n} pages at a time; close one", n=_MOST_LISTENERS), 503)
        return StreamingResponse(self._messages(), media_type="text/event-stream", headers=_HEADERS)

    def _is_full(self) -> bool:
        return self.board.listeners >= _MOST_LISTENERS

    async def _messages(self) -> AsyncIterator[str]:
        loop, woken, seen = asyncio.get_running_loop(), asyncio.Event(), 0

        def wake() -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(woken.set)

        if self._is_full():  # others have come since the request was answered
            return
        self.board.join(wake)
        try:
            while not self.is_closing:
                woken.clear()
                seen, messages = self.board.since(seen)
                for topic, text in messages:
                    yield f"event: {topic.partition(' ')[0]}\ndata: {text}\n\n"
                if not messages:
                    yield ": waiting\n\n"
                try:
                    await asyncio.wait_for(woken.wait(), _PULSE)
                except TimeoutError:
                    continue
        finally:
            self.board.leave(wake)

    async def _written(self, request: Request) -> Response:
        path = self.pages.get(request.path_params["name"])
        if path is None or not path.is_file():
            return _say(tr("no such page"), 404)
        return FileResponse(path, media_type="text/html", headers=_with_policy(_WRITTEN))


def _with_policy(policy: str) -> dict[str, str]:
    return {**_HEADERS, "Content-Security-Policy": policy + _NO_FRAME}


class _Protocol(H11Protocol):
    """Closes a connection whose request does not become whole in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, or of several."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        is_waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if is_waiting and self._timer is None:
            self._timer = self.loop.call_later(PATIENCE, self.transport.close)
        elif self._timer is not None and not is_waiting:
            self._timer.cancel()
            self._timer = None


class Server(uvicorn.Server):
    """A server that ends its streams when it is asked to stop."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop what plays, then the server."""
        await run_in_threadpool(self._site.close)  # the event loop ends the streams meanwhile
        await super().shutdown(sockets)


def bind(port: int) -> socket.socket:
    """Return a socket of this machine alone; port 0 takes a free one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # on Windows it would share the port with another server
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()  # so that the address works as soon as it is printed
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            text = tr("port {port} is in use; choose another with --port, or leave it out", port=port)
        else:
            text = tr(
                "cannot open port {port}: {reason}; choose another with --port, or leave it out",
                port=port,
                reason=reason(error),
            )
        raise BalanceError(text) from None
    return found


def serve(site: Site, listening: socket.socket, open_browser: bool, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, and say the address first."""
    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://{HOST}:{port}/{token}/"
    config = uvicorn.Config(
        site.app(token, port), log_level="error", access_log=False, lifespan="off", server_header=False,
        timeout_graceful_shutdown=CLOSE_SECONDS, http=_Protocol,
    )  # fmt: skip
    try:
        with ExitStack() as stack:
            page = None
            if open_browser:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="balance-live-"))
                page = _write_redirect(Path(folder), address)
            say(address)
            if page:
                webbrowser.open(page.as_uri())
            Server(config, site).run(sockets=[listening])
    except KeyboardInterrupt:
        pass


def _write_redirect(folder: Path, address: str) -> Path:
    """Return a page that leads to the address: other users of the machine can read the arguments of the browser."""
    path = folder / "open.html"
    link = f'<a href="{address}">balance live</a>'
    create_file(path, f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={address}">{link}'.encode())
    path.chmod(0o600)  # the folder is private already
    return path
