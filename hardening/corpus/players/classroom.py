X, O, EMPTY = "X", "O", None


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    marks = sum(cell is not EMPTY for row in board for cell in row)
    return O if marks % 2 else X


def actions(board):
    return {(r, c) for r in range(3) for c in range(3) if board[r][c] is EMPTY}


def result(board, action):
    r, c = action
    if board[r][c] is not EMPTY:
        raise ValueError("taken")
    new = [row[:] for row in board]
    new[r][c] = player(board)
    return new


def winner(board):
    lines = board + [list(column) for column in zip(*board, strict=True)]
    lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in lines:
        if line[0] is not EMPTY and line == [line[0]] * 3:
            return line[0]
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1}.get(winner(board), 0)


memory = {}


def value(board):
    key = str(board)
    if key not in memory:
        if terminal(board):
            memory[key] = utility(board)
        else:
            worth = [value(result(board, action)) for action in actions(board)]
            memory[key] = max(worth) if player(board) == X else min(worth)
    return memory[key]


def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(actions(board), key=lambda action: value(result(board, action)))
