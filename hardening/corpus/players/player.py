from noughts import best_moves
from noughts.rules.notation import format_move


def cell(position):
    return best_moves(position)[0]


def text(position):
    return format_move(position.game, cell(position))


def pair(position):
    return divmod(cell(position), position.game.columns)


def several(position):
    return several.choices(position)[0]


several.choices = best_moves


def first(position):
    return position.moves()[0]
