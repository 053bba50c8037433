#include "board.hpp"

namespace noughts {

bool Board::may_play(int cell) const {
    if (status_ != ongoing || cell < 0 || cell >= cells()) return false;
    const size_t place = at(cell);
    return byte_[place] == 0 && (!gravity_ || byte_[place + stride()] != 0);
}

void Board::push(int cell) {
    const size_t place = at(cell);
    byte_[place] = uint8_t(turn_ + 1);
    free_--;
    status_ = completes(place) ? line_code_[turn_] : free_ ? ongoing : draw;
    turn_ ^= 1;
    played_[pushed_++] = uint16_t(cell);
}

int Board::pop() {
    const int cell = played_[--pushed_];
    byte_[at(cell)] = 0;
    free_++;
    turn_ ^= 1;
    status_ = ongoing;
    return cell;
}

bool Board::completes(size_t place) const {
    const uint8_t mark = byte_[place];
    const int longest = k_ + exact_;  // how long a run needs to be counted
    for (const int step : {1, stride() - 1, stride(), stride() + 1}) {
        int run = 1;
        for (size_t p = place + step; run < longest && byte_[p] == mark; p += step) run++;
        for (size_t p = place - step; run < longest && byte_[p] == mark; p -= step) run++;
        if (run == k_) return true;
    }
    return false;
}

}  // namespace noughts
