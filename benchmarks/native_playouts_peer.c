// The peer of native_playouts.py: random games on any board up to 16 x 16, as one would write them in C:
// a shuffled list of free cells, a board of bytes with a border, and a look along the four lines through each move.

#include <stdint.h>
#include <string.h>

enum { stride = 18 };

static uint64_t state = 1;

static uint32_t random_below(uint32_t n) {  // xorshift64*, and multiplication instead of division
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (uint32_t)(((state * 0x2545F4914F6CDD1D >> 32) * n) >> 32);
}

void playouts(int rows, int columns, int k, uint64_t games, uint64_t *tally) {
    static const int steps[4] = {1, stride, stride + 1, stride - 1};
    uint16_t cells[256];
    int count = 0;
    for (int r = 1; r <= rows; r++)
        for (int c = 1; c <= columns; c++) cells[count++] = (uint16_t)(r * stride + c);
    for (uint64_t game = 0; game < games; game++) {
        int8_t board[stride * stride];
        memset(board, 0, sizeof board);
        int result = 2;
        int left = count;
        while (left > 0) {
            const int side = (count - left) & 1;
            const int8_t mark = (int8_t)(side + 1);
            const uint32_t j = random_below((uint32_t)left);
            const uint16_t at = cells[j];
            cells[j] = cells[--left];
            cells[left] = at;  // the list stays a permutation: no need to make a new one
            board[at] = mark;
            for (int d = 0; d < 4 && result == 2; d++) {
                int length = 1;
                for (int p = at + steps[d]; board[p] == mark; p += steps[d]) length++;
                for (int p = at - steps[d]; board[p] == mark; p -= steps[d]) length++;
                if (length >= k) result = side;
            }
            if (result != 2) break;
        }
        tally[result]++;
        tally[3] += (uint64_t)(count - left);
    }
}
