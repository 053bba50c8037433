#include "index.hpp"

#include <algorithm>

namespace noughts::solve {

// In ascending order the first set of an orbit that we meet is its smallest; its images are then crossed out.
Index::Index(const Board& board) : board(board), top((board.cells + 1) / 2), open(top + 1), won(top + 1) {
    const uint64_t sets = uint64_t(1) << board.cells;
    std::vector<uint64_t> met((sets + 63) / 64);
    for (uint64_t word = 0; word < met.size(); word++) {
        for (uint64_t left; (left = ~met[word]) != 0;) {
            const int bit = std::countr_zero(left);
            const uint64_t set = word * 64 + bit;
            if (set >= sets) return;
            met[word] |= uint64_t(1) << bit;
            const int x = std::popcount(set);
            if (x > top) continue;
            for (int s = 1; s < int(board.map.size()); s++) {
                const Set image = board.image(Set(set), s);
                met[image / 64] |= uint64_t(1) << image % 64;
            }
            if (board.is_open(Set(set))) open[x].push_back(Set(set));
            else if (board.is_won(Set(set))) won[x].push_back(Set(set));
        }
    }
}

int Index::orbit_size(Set set) const {
    int fixing = 0;
    for (int s = 0; s < int(board.map.size()); s++) fixing += board.image(set, s) == set;
    return int(board.map.size()) / fixing;
}

uint64_t Index::locate(Set x, Set o) const {
    Set smallest = x;
    int by = 0;
    for (int s = 1; s < int(board.map.size()); s++)
        if (const Set image = board.image(x, s); image < smallest) smallest = image, by = s;
    const auto& sets = open[std::popcount(x)];
    const uint64_t number = uint64_t(std::lower_bound(sets.begin(), sets.end(), smallest) - sets.begin());
    const Set free = board.all & ~smallest;
    return number * binomial(std::popcount(free), std::popcount(o)) + colex(Places(free).squeeze(board.image(o, by)));
}

Finder::Finder(const Index& index, int x) : index_(index), x_(x), entry_(binomial(index.board.cells, x), none) {
    const Board& board = index.board;
    const int low = std::min(board.cells, 13);
    low_.resize(size_t(1) << low), high_.resize(size_t(1) << (board.cells - low));
    for (Set set = 0; set < low_.size(); set++) low_[set] = colex(set);
    for (Set set = 0; set < high_.size(); set++) {  // the cells below it come first: x - |set| of them
        int i = x - std::popcount(set) + 1;
        if (i < 1) continue;
        for (Set left = set; left; left &= left - 1) high_[set] += binomial(low + std::countr_zero(left), i++);
    }
    for (const auto& map : board.map)
        for (int s = 0; s < int(board.map.size()); s++) {
            bool undoes = true;
            for (int cell = 0; cell < board.cells; cell++) undoes &= board.map[s][map[cell]] == cell;
            if (undoes) inverse_.push_back(s);
        }
}

void Finder::fill(size_t begin, size_t end) {
    const Board& board = index_.board;
    for (size_t number = begin; number < end; number++)
        for (int s = int(board.map.size()); s-- > 0;)  // the identity last: it wins where several symmetries do
            entry_[rank(board.image(index_.open[x_][number], s))] = uint32_t(number * 8 + inverse_[s]);
}

}  // namespace noughts::solve
