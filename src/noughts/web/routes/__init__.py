"""The questions over HTTP, by topic: each route reads a question, and sends what a function of the library answers.

A further topic is a file here, with its `router`, and a line in `ROUTERS`.
"""

from __future__ import annotations

from noughts.web.routes import detectors, games, laboratory, play, positions, puzzles, search, solving, together

TOPICS = (positions, play, games, puzzles, detectors, search, solving, laboratory, together)
ROUTERS = [topic.router for topic in TOPICS]
