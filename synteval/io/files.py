"""Opening text files: UTF-8 with or without BOM, any line ending, plain or gzipped, `-` for standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from synteval.errors import InputError

# A gzipped file may not unpack to more than this, nor, beyond ALWAYS, to more than so many times its size: a few
# kilobytes can hold gigabytes of blanks, while text shrinks to a tenth.
LARGEST = 4 * 1024**3
ALWAYS = 256 * 1024**2
GROWTH = 100
_BLOCK = 1024**2


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
        return _unpacked(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder; name a file in it") from None
    except PermissionError:
        raise InputError(f"{path}: may not be read; check its permissions") from None
    except InputError:
        raise
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a sound gzip file ({error}); compress it again") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None


def _unpacked(path: Path) -> bytes:
    most = min(LARGEST, max(ALWAYS, GROWTH * path.stat().st_size))
    blocks: list[bytes] = []
    size = 0
    with gzip.open(path) as stream:
        while block := stream.read(_BLOCK):
            blocks.append(block)
            size += len(block)
            if size > most:
                raise InputError(f"{path}: unpacks to more than {most // 1024**2} MiB; split it, or unpack it first")
    return b"".join(blocks)
