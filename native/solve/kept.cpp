#include "kept.hpp"

#include <algorithm>

#include "solve.hpp"

namespace noughts::solve {
namespace {

// Games end at level + 1 … cells, or in a tie: in how many ways?
bool packs(const Index& index, int level) { return index.board.cells - level + 1 <= 16; }

}  // namespace

uint64_t Kept::stride(const Index& index, int level) {
    const uint64_t block = index.block_bytes(level);
    return packs(index, level) ? packed_bytes(block) : block;
}

uint64_t Kept::memory(const Index& index, int parity) {
    uint64_t most = 0;
    for (int x = 2 - parity; x <= index.top; x += 2)
        most = std::max(most, index.open[x].size() * stride(index, 2 * x - 1));
    return most + padding;
}

void Kept::start(int level) { start(level, 0, uint64_t(1) << 40, {memory_->data()}); }

void Kept::start(int level, uint64_t first, uint64_t per_part, std::vector<uint8_t*> parts) {
    first_ = first, per_part_ = per_part, parts_ = std::move(parts);
    packed_ = packs(index_, level);
    block_bytes_ = index_.block_bytes(level);
    stride_ = stride(index_, level);
    if (!packed_) return;
    const int cells = index_.board.cells;
    const int x_parity = completing_wins_;  // X completes lines at an odd number of marks
    int kind = 0;
    for (int end = level + 1; end <= cells; end++)
        if (end % 2 != x_parity) packing_.code[kind++] = o_wins_at(end);
    packing_.tie_kind = uint8_t(kind);
    packing_.code[kind++] = tie_code;
    for (int end = cells; end > level; end--)
        if (end % 2 == x_parity) packing_.code[kind++] = x_wins_at(end);
    packing_.o_first = o_wins_at(level + 1 + ((level + 1) % 2 == x_parity));
    packing_.x_first = x_wins_at(cells - (cells % 2 != x_parity));
}

}  // namespace noughts::solve
