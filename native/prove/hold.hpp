// Does a player hold, that is keep the other from a line or complete one first? See noughts/proofs/hold.py, whose plain
// search says what is right.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "job.hpp"
#include "prove/table.hpp"
#include "simd/kernels.hpp"

namespace noughts::prove {

constexpr int most_cells = 256;  // of a board

// What was proven cannot be written within the budget: the table had no room to keep all of it.
struct Forgotten : std::runtime_error {
    Forgotten() : std::runtime_error("what was proven was forgotten") {}
};

class HoldSearch {
  public:
    // The other (`attacker`) has these cells, the holder those; `weak`: the holder's own lines do not count.
    static std::unique_ptr<HoldSearch> make(const Game& game, const std::vector<int>& attacker,
                                            const std::vector<int>& holder, bool attacker_moves, bool weak,
                                            size_t memory);
    virtual ~HoldSearch() = default;

    // Goes on for so many nodes or seconds more, or until it is settled.
    virtual void run(const Budget& budget, int threads, const Poll& poll) = 0;

    virtual Numbers numbers() const = 0;
    virtual std::vector<int> line() const = 0;  // the moves that promise most, as far as they are known

    // The lines of a certificate, once it is proven; what was forgotten is looked for again.
    virtual std::string write(const Budget& budget, const Poll& poll) = 0;

    // What took work so far, as bytes, and the same taken over from an earlier search of this position.
    virtual std::string known() const = 0;
    virtual void recall(std::string_view known) = 0;

    std::atomic<uint64_t> nodes{0};
    Table table;

  protected:
    explicit HoldSearch(size_t memory) : table(memory) {}
};

}  // namespace noughts::prove
