#!/usr/bin/env python3
"""Records what the reference servers "time" and "fetch" answer to the calls in two files:

    engine/builtin/clock/testdata/reference.json
    engine/builtin/web/testdata/reference.json

Each call gets an "answer". Nothing else in the files is changed. README.md says what this needs.

    record.py FOLDER    a folder with mcp_server_time, mcp_server_fetch and the packages that these import
"""

import asyncio
import contextlib
import datetime
import http.server
import json
import pathlib
import sys
import threading
import types
import typing

import pydantic as pydantic1

BUILTIN = pathlib.Path(__file__).resolve().parents[2] / "engine" / "builtin"


class McpError(Exception):
    """The error of the SDK. A client sees its message."""

    def __init__(self, error):
        super().__init__(error.message)


class Server:
    """Stands in for the server of the SDK. It keeps the functions that a server gives it."""

    made = None

    def __init__(self, name):
        Server.made = self
        self.call = None

    def call_tool(self):
        def keep(function):
            self.call = function
            return function

        return keep

    def list_tools(self):
        return lambda function: function

    list_prompts = get_prompt = list_tools

    def create_initialization_options(self):
        return None

    async def run(self, *arguments, **options):
        pass


@contextlib.asynccontextmanager
async def stdio_server():
    yield None, None


class BaseModel:
    """Stands in for the models of pydantic 2. Fields with rules are checked by pydantic 1."""

    model = types.SimpleNamespace

    def __init_subclass__(cls):
        rules = {}
        for name, kind in typing.get_type_hints(cls, include_extras=True).items():
            if typing.get_origin(kind) is typing.Annotated:
                kind, rule = typing.get_args(kind)
                rules[name] = (kind, pydantic1.Field(**{"default": ..., **rule}))
        if rules:
            cls.model = pydantic1.create_model(cls.__name__, **rules)

    def __init__(self, **values):
        self.__dict__.update(vars(self.model(**values)))

    def model_dump(self):
        return {name: value.model_dump() if isinstance(value, BaseModel) else value
                for name, value in vars(self).items()}


def stand_in():
    """Puts modules in place of the SDK and of pydantic 2."""

    def module(name, **names):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(names)

    plain = {name: types.SimpleNamespace for name in (
        "Tool", "ToolAnnotations", "TextContent", "ImageContent", "EmbeddedResource", "ErrorData", "GetPromptResult",
        "Prompt", "PromptArgument", "PromptMessage")}
    module("mcp")
    module("mcp.server", Server=Server)
    module("mcp.server.stdio", stdio_server=stdio_server)
    module("mcp.shared")
    module("mcp.shared.exceptions", McpError=McpError)
    module("mcp.types", INVALID_PARAMS=-32602, INTERNAL_ERROR=-32603, **plain)
    module("pydantic", BaseModel=BaseModel, Field=lambda **rules: rules, AnyUrl=pydantic1.AnyUrl)


async def answer(name, arguments):
    """Calls the tool of the server that was made last."""
    try:
        content = await Server.made.call(name, arguments)
    except Exception as problem:
        return {"refused": str(problem)}
    return {"text": "".join(part.text for part in content)}


def save(path, recorded):
    path.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def record_time():
    import mcp_server_time.server as reference

    asyncio.run(reference.serve("UTC"))
    path = BUILTIN / "clock" / "testdata" / "reference.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))

    class Frozen(datetime.datetime):
        at = None

        @classmethod
        def now(cls, tz=None):
            return cls.at.astimezone(tz)

    reference.datetime = Frozen
    for call in recorded["calls"]:
        Frozen.at = datetime.datetime.fromisoformat(call["now"])
        call["answer"] = asyncio.run(answer(call["tool"], call["arguments"]))
    save(path, recorded)


class Site(http.server.BaseHTTPRequestHandler):
    """Serves the pages of the recorded calls."""

    pages, robots, folder = {}, None, None

    def do_GET(self):
        page = self.pages.get(self.path, {"status": 404, "type": "text/plain", "body": "not found"})
        if self.path == "/robots.txt":
            page = self.robots or {"status": 404}
        body = page.get("body", "").replace("{agent}", "ModelContextProtocol").encode(page.get("encoding", "utf-8"))
        if "file" in page:
            body = (self.folder / page["file"]).read_bytes()
        self.send_response(page.get("status", 200))
        if "type" in page:
            self.send_header("Content-Type", page["type"])
        if "location" in page:
            self.send_header("Location", page["location"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def record_web():
    import mcp_server_fetch.server as reference

    asyncio.run(reference.serve())
    testdata = BUILTIN / "web" / "testdata"
    path = testdata / "reference.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{site.server_port}"
    Site.pages, Site.folder = recorded["pages"], testdata / "pages"
    for call in recorded["calls"]:
        Site.robots = call.get("robots")
        arguments = {name: value.replace("{site}", here) if name == "url" else value
                     for name, value in call["arguments"].items()}
        call["answer"] = {kind: text.replace(here, "{site}")
                          for kind, text in asyncio.run(answer("fetch", arguments)).items()}
    save(path, recorded)


def main():
    sys.path.insert(0, sys.argv[1])
    stand_in()
    record_time()
    record_web()


main()
