// What a position is worth by all its free cells: a small learned network. See noughts/engine/network.py, which says
// what is right, and what the numbers mean.
//
//     each free cell: its kind (pairs of shapes, for the one to move and the other)  ->  a row of `width` numbers
//     all rows together  ->  clipped  ->  `hidden` sums  ->  clipped  ->  one score
#pragma once

#include <stdint.h>

#include <algorithm>
#include <array>
#include <vector>

namespace noughts::engine {

constexpr int pairs = 55;            // of a cell's two best shapes: best * (best + 1) / 2 + second
constexpr int kinds = pairs * pairs;  // of a free cell: the pair of one player * pairs + that of the other
constexpr int width = 32, hidden = 16;
constexpr int unit = 256, fine = 64;  // the number 1 among the sums, and among the weights between them
constexpr int most = 2000;           // hundredths of a unit of log-odds: no score is beyond

using Sums = std::array<int16_t, width>;

struct Network {
    std::vector<Sums> row;         // [kind], for the player whose pair comes first
    std::vector<int16_t> urgency;  // [kind]: how early a move there is tried
    std::array<std::array<int16_t, width>, hidden> inner{};
    std::array<int32_t, hidden> inner_bias{};
    std::array<int16_t, hidden> outer{};
    int32_t outer_bias = 0;

    // In hundredths of a unit of log-odds. The first of the sums counts as it is, too.
    int score(const Sums& sums) const {
        alignas(16) int16_t seen[width], felt[hidden];
        for (int i = 0; i < width; i++) seen[i] = std::clamp<int16_t>(sums[i], 0, unit);
        for (int j = 0; j < hidden; j++) {
            int32_t sum = 0;
            for (int i = 0; i < width; i++) sum += seen[i] * inner[j][i];
            felt[j] = int16_t(std::clamp((sum + inner_bias[j]) / fine, 0, unit));
        }
        int64_t sum = outer_bias + sums[0] * fine;
        for (int j = 0; j < hidden; j++) sum += felt[j] * outer[j];
        return int(std::clamp<int64_t>(sum * 100 / (unit * fine), -most, most));
    }
};

}  // namespace noughts::engine
