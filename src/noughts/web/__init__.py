"""The web laboratory: a server that answers over HTTP, and a page that draws the answers.

answers.py    what each question is answered with, as plain dicts; no HTTP here
account.py    the account of a game in plain words
models.py     the shape of questions and answers: the OpenAPI document
watching.py   the detectors at work, step by step
searching.py  a search with its tree and replay
solved.py     what a solve will take, and what the atlas knows
jobs.py       slow work in processes of its own, with limits, cancelled when nobody waits any more
pool.py       the processes that answer slow questions; worker.py is what one does for a question
process.py    what long runs share: each is a process that prints progress and summary, a line each
solving.py    a solve as such a process; matching.py a match, judging.py the papers' claims, benching.py a benchmark
guard.py      headers and limits around every request
app.py        the routes
guide.py      the documentation, in the page's own style
server.py     the socket, the browser, Ctrl-C: `noughts serve`
static/       the page; it knows no rules of the game
"""
