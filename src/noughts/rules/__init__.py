"""The game itself: boards, rules, positions, and everything that follows from them alone.

marks       X and O, and how a game stands
rule        what the letters of a game change: where one may play, what a line is, what completing one means
game        a board and its rule                position    a moment of a game
board       the same, changed in place          encoding    positions as numbers and planes
notation    text <-> game, board, move          legality    can this board arise?
symmetry    turns and flips                     playouts    random games
batch       many boards at once                 perft       counting games
"""
