"""What can be wrong with a solve or with a saved solution."""

from __future__ import annotations


class InvalidSolve(ValueError):
    """This cannot be asked of a solve."""


class TooLarge(ValueError):
    """The job needs more than there is; the message says how much."""


class DatabaseError(ValueError):
    """This is not a solution that can be used: damaged, unfinished, of another version, or something else."""


class Damaged(DatabaseError):
    """The bytes are not those that were written."""


class StoreError(DatabaseError):
    """A place for parts cannot be read or written; the message says why."""


class ClusterError(ValueError):
    """A cluster cannot do it; the message says which worker, and why."""


class FolderBusy(DatabaseError):
    """Another process is solving into this folder."""
