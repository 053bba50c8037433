// The peer of native_perft.py: perft and all games of 3x3, as one would write them in C.

#include <stdbool.h>
#include <stdint.h>

static bool has_line(unsigned b) {
    static const uint16_t lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int i = 0; i < 8; i++)
        if ((b & lines[i]) == lines[i]) return true;
    return false;
}

uint64_t perft(unsigned mine, unsigned theirs, int depth) {
    if (depth == 0) return 1;
    if (has_line(theirs)) return 0;
    uint64_t count = 0;
    for (unsigned rest = 0x1FF & ~(mine | theirs); rest; rest &= rest - 1)
        count += perft(theirs, mine | (rest & -rest), depth - 1);
    return count;
}

// ends[0], ends[1]: won by the one who moves first, second; ends[2]: drawn
void count_games(unsigned mine, unsigned theirs, int ply, uint64_t *ends) {
    if (has_line(theirs)) ends[(ply + 1) % 2]++;
    else if ((mine | theirs) == 0x1FF) ends[2]++;
    else
        for (unsigned rest = 0x1FF & ~(mine | theirs); rest; rest &= rest - 1)
            count_games(theirs, mine | (rest & -rest), ply + 1, ends);
}
