"""Opening text files: UTF-8 with or without BOM, any line ending, plain or gzipped, `-` for standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from synteval.errors import InputError

# A gzipped file may not unpack to more than this: a few kilobytes can hold gigabytes of blanks.
LARGEST = 4 * 1024**3


def read_text(path: str | Path) -> str:
    """The whole text of a file, line endings as `\\n`. Errors name the file and the line."""
    data = _read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(path)}:{line}: not UTF-8 (byte 0x{data[error.start]:02x}); "
            f"convert the file first, e.g. iconv -f latin1 -t utf-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_lines(path: str | Path) -> list[str]:
    """The lines of a file. Only line breaks end a line: U+2028 or a form feed inside a segment does not."""
    text = read_text(path)
    if not text:
        return []
    return text.removesuffix("\n").split("\n")


def shown(path: str | Path) -> str:
    """How messages name a path."""
    return "standard input" if str(path) == "-" else str(path)


def _read_bytes(path: str | Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    path = Path(path)
    try:
        if path.suffix.lower() != ".gz":
            return path.read_bytes()
        with gzip.open(path) as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder; name a file in it") from None
    except PermissionError:
        raise InputError(f"{path}: may not be read; check its permissions") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a sound gzip file ({error}); compress it again") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: unpacks to more than {LARGEST // 1024**3} GiB; split it")
    return data
