// The tables that the kernels follow: for every row of a block, where the rows it depends on lie. Each class owns the
// memory that the plain structs of kernels.hpp point to.
#pragma once

#include <vector>

#include "board.hpp"
#include "kernels.hpp"

namespace noughts::solve {

// The rows of a block of sets of `size` out of `cells`, in groups.
struct Rows {
    struct Columns {  // what a Group points to
        std::vector<uint32_t> top, high, to, low;
    };
    std::vector<Group> groups;
    std::vector<Columns> columns;  // [group]
    std::vector<int> low_size;     // [group] low cells of its sets

    Rows(int cells, int size, int low);
    Rows(Rows&&) = default;        // what the groups point to stays where it is
    Rows& operator=(Rows&&) = default;
};

class PlanTables {
   public:
    const Plan& operator*() const { return plan_; }
    const Plan* operator->() const { return &plan_; }

    // X to move: the children have one free cell fewer.
    static PlanTables x_moves(const Kernels&, int cells, int size, uint8_t seed);
    // O to move: the child has one cell more in its sets.
    static PlanTables o_moves(const Kernels&, int cells, int size, uint8_t seed);

   private:
    PlanTables(const Kernels&, int cells, int size, uint8_t seed);
    uint8_t* new_shuffle(const Kernels&, int low_size, int moves, uint8_t nothing);  // one row of lanes for each move

    Plan plan_{};
    Rows rows_;
    std::vector<std::vector<uint8_t>> shuffle_;  // [low cells of the set]
};

class TurnTables {
   public:
    TurnTables(int cells, int size, int low);
    const Turn& operator*() const { return turn_; }
    const Turn* operator->() const { return &turn_; }

   private:
    Turn turn_{};
    Rows rows_;
    std::vector<uint32_t> row_;
    std::vector<uint16_t> set_;
    std::vector<uint8_t> lane_;
};

// Which lanes hold a set of low cells: in blocks of `size` for X to move, of `size - 1` for O to move.
class MarkTables {
   public:
    MarkTables(const Kernels&, int cells, int size);
    const Marks* above(Set set) const { return &marks_[(set & ((Set(1) << low) - 1)) * (high + 1)]; }  // [|T|]
    int low, high;
    std::vector<std::vector<Set>> lanes;  // [size] the sets of so many low cells, in the order of their lanes

   private:
    std::vector<Marks> marks_;
};

}  // namespace noughts::solve
