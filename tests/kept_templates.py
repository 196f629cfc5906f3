"""Compiled page templates, kept from one test's app to the next: compiling takes most of a test."""

from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class KeptTemplates(BytecodeCache):
    """Templates as this process has compiled them, by name, place and source."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Hand over what was compiled before, if the source is still the same."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what has just been compiled."""
        if bucket.code is not None:
            self._kept[bucket.key, bucket.checksum] = bucket.code
