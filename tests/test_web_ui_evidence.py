"""Clips are sent in parts, so that a browser can scrub in them; nothing else leaves the folder."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table

from web_ui import create_app
from web_ui.evidence import is_clip_name, is_picture_name

FILM = bytes(range(256)) * 4


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "evidence"
    (made / "sub").mkdir(parents=True)
    (made / "clip-1.webm").write_bytes(FILM)
    for secret in ("secret.webm", "evidence/.hidden.webm", "evidence/sub/secret.webm"):
        (tmp_path / secret).write_bytes(b"secret")
    for secret in ("clip-1.webm.part", "log.sqlite3", "film.mp4", "film.html"):
        (made / secret).write_bytes(b"secret")
    return made


@pytest.fixture
def client(folder: Path) -> FlaskClient:
    table = Table()
    return create_app(table.log, table.submit, {"EVIDENCE_DIR": str(folder)}).test_client()


def test_a_clip_is_sent_as_one(client: FlaskClient) -> None:
    with client.get("/evidence/clip-1.webm") as response:
        assert (response.status_code, response.mimetype, response.data) == (200, "video/webm", FILM)
        assert response.headers["Accept-Ranges"] == "bytes"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy


@pytest.mark.parametrize(
    ("asked", "status", "part", "content_range"),
    [
        ("bytes=0-", 206, FILM, "bytes 0-1023/1024"),
        ("bytes=100-199", 206, FILM[100:200], "bytes 100-199/1024"),
        ("bytes=1000-5000", 206, FILM[1000:], "bytes 1000-1023/1024"),
        ("bytes=-24", 206, FILM[-24:], "bytes 1000-1023/1024"),
        ("bytes=1024-", 416, None, "bytes */1024"),
        ("bytes=200-100", 416, None, "bytes */1024"),
        ("bytes=x-y", 416, None, "bytes */1024"),
        ("bytes=-0", 416, None, "bytes */1024"),
        ("bytes=" + "9" * 400 + "-", 416, None, "bytes */1024"),
        ("seconds=1-2", 416, None, "bytes */1024"),
    ],
)
def test_a_part_of_a_clip(
    client: FlaskClient, asked: str, status: int, part: bytes | None, content_range: str
) -> None:
    with client.get("/evidence/clip-1.webm", headers={"Range": asked}) as response:
        assert response.status_code == status
        if part is not None:
            assert response.data == part
            assert response.mimetype == "video/webm"
        assert response.headers["Content-Range"] == content_range


def test_a_part_of_another_file_than_the_one_begun_is_the_whole(client: FlaskClient) -> None:
    headers = {"Range": "bytes=0-9", "If-Range": '"another"'}
    with client.get("/evidence/clip-1.webm", headers=headers) as response:
        assert (response.status_code, response.data) == (200, FILM)


def test_a_viewer_who_has_a_clip_is_told_so(client: FlaskClient) -> None:
    with client.get("/evidence/clip-1.webm") as first:
        tag = first.headers["ETag"]
        assert "max-age=86400" in first.headers["Cache-Control"]
    with client.get("/evidence/clip-1.webm", headers={"If-None-Match": tag}) as again:
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "name",
    [
        "missing.webm",
        "film.mp4",
        "film.html",
        "log.sqlite3",
        ".hidden.webm",
        "clip-1.webm.part",
        "clip-1.webm/",
        "clip-1.webm%00.jpg",
        "clip-1.webm%00",
        "../secret.webm",
        "..%2fsecret.webm",
        "%2e%2e%2fsecret.webm",
        "..%5csecret.webm",
        "%252e%252e%252fsecret.webm",
        "....//secret.webm",
        "sub/secret.webm",
        "sub%2fsecret.webm",
        "%2fetc%2fpasswd.webm",
        "//secret.webm",
    ],
)
@pytest.mark.parametrize("part", [None, "bytes=0-3"])
def test_nothing_but_clips_and_pictures_leaves_the_folder(
    client: FlaskClient, name: str, part: str | None
) -> None:
    headers = {} if part is None else {"Range": part}
    with client.get(f"/evidence/{name}", headers=headers) as response:
        assert response.status_code in (308, 404)
        assert b"secret" not in response.data or response.status_code == 308
    with client.get(f"/evidence/{name}", headers=headers, follow_redirects=True) as response:
        assert response.status_code == 404


@pytest.mark.parametrize("name", ["a.webm", "clip-000012.50-0123456789ab.WEBM"])
def test_a_clip_is_no_picture(name: str) -> None:
    assert is_clip_name(name)
    assert not is_picture_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", ".webm", "a/b.webm", "..\\b.webm", "/b.webm"])
def test_what_is_no_plain_name_is_neither(name: str) -> None:
    assert not is_clip_name(name)
    assert not is_picture_name(name.replace("webm", "jpg"))


def test_without_a_folder_there_are_no_clips() -> None:
    table = Table()
    client = create_app(table.log, table.submit).test_client()
    assert client.get("/evidence/clip-1.webm").status_code == 404
