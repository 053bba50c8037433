// Classes of positions under symmetry, by Burnside: the mean over all symmetries of the positions that each leaves as
// they are. A position is left as it is when every cycle of cells has one mark, so those are few enough to be listed.
#pragma once

#include <functional>

#include "board.hpp"

namespace noughts::solve {

// How many positions that can arise each symmetry leaves as they are, by number of marks; the identity (all of them)
// is left out.
class Fixed {
   public:
    Fixed(const Board& board, int threads, const std::function<bool()>& stop);  // stopped: the counts are not whole

    // The number of classes of a level, given the number of its positions.
    uint64_t classes(int marks, uint64_t positions) const { return (positions + sum_[marks]) / symmetries_; }

    // The positions of a level that a symmetry leaves as they are, all symmetries but the identity together.
    uint64_t sum(int marks) const { return sum_[marks]; }

   private:
    uint64_t symmetries_;
    std::array<uint64_t, most_cells + 1> sum_{};
};

}  // namespace noughts::solve
