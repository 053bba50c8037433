#include "prove/hold.hpp"

#include "prove/hold_search.hpp"
#include "prove/hold_writer.hpp"

namespace noughts::prove {

template <int W>
std::string Search<W>::write(const Budget& budget, const Poll& poll) {
    threads_ = 1;
    return Writer(*this, budget, poll).text(root_, attacker_moves_);
}

template <int W>
std::string Search<W>::known() const {
    std::string bytes;
    const auto add = [&](uint64_t word) {
        for (int i = 0; i < 8; i++) bytes += char(word >> 8 * i);
    };
    table.each([&](uint64_t key, uint64_t content) {
        add(key), add(content);
        if (Table::numbers(content).settled())
            for (const uint64_t word : zones_.find(key).word) add(word);
    });
    return bytes;
}

template <int W>
void Search<W>::recall(std::string_view known) {
    const auto next = [&] {
        if (known.size() < 8) throw std::invalid_argument("what was found ends too soon");
        uint64_t found = 0;
        for (int i = 0; i < 8; i++) found |= uint64_t(uint8_t(known[i])) << 8 * i;
        known.remove_prefix(8);
        return found;
    };
    while (!known.empty()) {
        const uint64_t key = next(), content = next();
        table.put(key, content);
        if (!Table::numbers(content).settled()) continue;
        Cells<W> zone;
        for (uint64_t& word : zone.word) word = next();
        zones_.keep(key, zone);
    }
}

std::unique_ptr<HoldSearch> HoldSearch::make(const Game& game, const std::vector<int>& attacker,
                                             const std::vector<int>& holder, bool attacker_moves, bool weak,
                                             size_t memory) {
    if (game.cells <= 64) return std::make_unique<Search<1>>(game, attacker, holder, attacker_moves, weak, memory);
    if (game.cells <= 128) return std::make_unique<Search<2>>(game, attacker, holder, attacker_moves, weak, memory);
    return std::make_unique<Search<4>>(game, attacker, holder, attacker_moves, weak, memory);
}

}  // namespace noughts::prove
