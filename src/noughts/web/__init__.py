"""The web laboratory: a server that answers over HTTP, and a page that draws the answers.

routes/       the questions, by topic: each reads its words and sends what one function of the library answers
asking.py     how words become games and positions, once, and who answers: the loop itself, or a worker
schema.py     the shapes of the answers for the OpenAPI document, made from the library's types; keys.toml has the words
cost.py       what a question may cost
jobs.py       slow work in processes of its own, with limits, cancelled when nobody waits any more
turns.py      whose turn it is, where many wait
pool.py       the processes that answer slow questions
runs.py       long runs: each is a process that prints progress and its answer, a line each
lesson.py     a class that follows one page
addresses.py  what others open, and its QR code
guard.py      headers and limits around every request
app.py        the application: routes, page, refusals
guide.py      the documentation, in the page's own style
server.py     the socket, the browser, Ctrl-C: `noughts serve`
static/       the page; it knows no rules of the game
"""
