#include "database.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <mutex>
#include <vector>

#if defined(_WIN32)
#include <io.h>
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace noughts {

using solve::Code, solve::Set, solve::Solver;

Sets position_at(const Solver& solver, int level, uint64_t place) {
    const solve::Board& board = solver.board;
    const uint64_t block = solver.index.block_bytes(level);
    const Set x = solver.index.open[(level + 1) / 2][place / block], free = board.all & ~x;
    uint64_t rank = place % block;
    Set counted = 0;  // O, in places among the free cells: the largest first
    int above = std::popcount(free);
    for (int i = level / 2; i > 0; i--) {
        do above--;
        while (solve::binomial(above, i) > rank);
        rank -= solve::binomial(above, i);
        counted |= Set(1) << above;
    }
    Sets found{0, 0};
    for (int cell = 0; cell < board.cells; cell++) {
        const Set bit = Set(1) << board.number[cell];
        if (x & bit) found.x |= uint32_t(1) << cell;
        else if (counted >> std::popcount(free & (bit - 1)) & 1) found.o |= uint32_t(1) << cell;
    }
    return found;
}

void locate_all(const Solver& solver, const uint32_t* x, const uint32_t* o, uint64_t count, uint64_t* places,
                Code* codes) {
    for (uint64_t i = 0; i < count; i++) {
        places[i] = solver.locate(x[i], o[i]);
        if (places[i] == Solver::no_byte) codes[i] = solver.lookup(x[i], o[i], nullptr);
    }
}

uint64_t first_wrong(const Solver& solver, int level, uint64_t begin, uint64_t end, const Code* bytes,
                     const Code* next_level, int threads, const Poll& poll) {
    std::atomic<uint64_t> found{end};
    share_out(end - begin, 2048, threads, poll, [&](uint64_t first, uint64_t count) {
        for (uint64_t place = begin + first; place < begin + first + count; place++) {
            const Sets sets = position_at(solver, level, place);
            if (solver.derive(sets.x, sets.o, next_level) == bytes[place]) continue;
            for (uint64_t least = found; place < least && !found.compare_exchange_weak(least, place);) {}
            return;
        }
    });
    return found;
}

// O's sets of `held` and so many more of the free cells that are open, one by one.
static uint64_t open_sets(const solve::Board& board, Set free, Set held, int more) {
    if (more < 0 || more > std::popcount(free)) return 0;
    if (more == 0) return board.is_open(held);
    const Set cell = free & -free;
    return open_sets(board, free ^ cell, held | cell, more - 1) + open_sets(board, free ^ cell, held, more);
}

// The same by the first cell of a line that they lack; exact: those that lack none may still be open.
static uint64_t without_line(const solve::Board& board, Set free, Set held, int more) {
    for (Set line : board.lines) {
        if (line & ~(free | held)) continue;
        uint64_t found = 0;
        for (Set left = line & free; left && more >= 0; left &= left - 1, more--) {
            const Set cell = left & -left;
            free &= ~cell;
            found += without_line(board, free, held, more);
            held |= cell;
        }
        return board.exact ? found + open_sets(board, free, held, more) : found;
    }
    return solve::binomial(std::popcount(free), more);
}

std::array<uint64_t, 256> count_codes(const Solver& solver, int level, const Code* bytes, int threads,
                                      const Poll& poll) {
    const solve::Index& index = solver.index;
    const int x = (level + 1) / 2;
    const uint64_t block = index.block_bytes(level);
    std::array<uint64_t, 256> all{};
    std::mutex adding;
    share_out(index.open[x].size(), std::max<uint64_t>(1, 500'000 / block), threads, poll,
              [&](uint64_t first, uint64_t count) {
        std::array<uint64_t, 256> some{};
        for (uint64_t number = first; number < first + count; number++) {
            uint32_t seen[4][256] = {};  // four, as neighbours are often equal
            const Code* own = bytes + number * block;
            for (uint64_t i = 0; i < block; i++) seen[i % 4][own[i]]++;
            const uint64_t weight = uint64_t(index.orbit_size(index.open[x][number]));
            for (int code = 0; code < 256; code++)
                some[code] += weight * (uint64_t(seen[0][code]) + seen[1][code] + seen[2][code] + seen[3][code]);
        }
        const std::lock_guard held(adding);
        for (int code = 0; code < 256; code++) all[code] += some[code];
    });
    if (level % 2 == 0) return all;
    std::atomic<uint64_t> won{0};
    share_out(index.won[x].size(), 256, threads, poll, [&](uint64_t first, uint64_t count) {
        for (uint64_t number = first; number < first + count; number++) {
            const Set own = index.won[x][number];
            won += without_line(solver.board, solver.board.all & ~own, 0, level / 2) * uint64_t(index.orbit_size(own));
        }
    });
    all[solver.completed(level)] += won;
    return all;
}

// Read some bytes at that place: how many, 0 at the end of the file, or -1 with errno.
static int64_t read_some(int file, uint8_t* bytes, uint64_t size, uint64_t offset) {
#if defined(_WIN32)
    OVERLAPPED place{};
    place.Offset = DWORD(offset);
    place.OffsetHigh = DWORD(offset >> 32);
    DWORD read = 0;
    if (ReadFile(reinterpret_cast<HANDLE>(_get_osfhandle(file)), bytes, DWORD(size), &read, &place)) return read;
    errno = EIO;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : -1;
#else
    int64_t read;
    do read = pread(file, bytes, size, off_t(offset));
    while (read < 0 && errno == EINTR);
    return read;
#endif
}

int read_places(int file, uint64_t start, const uint64_t* places, uint64_t count, uint8_t* bytes) {
    constexpr uint64_t page = 32768, few = 3;  // so many are read one by one, more with their page
    if (count == 0) return 0;
    const uint64_t pages = *std::max_element(places, places + count) / page + 1;
    std::vector<uint64_t> end(pages + 1), order(count);  // the numbers of the places, page by page
    for (uint64_t i = 0; i < count; i++) end[places[i] / page + 1]++;
    for (uint64_t number = 0; number < pages; number++) end[number + 1] += end[number];
    for (uint64_t i = 0; i < count; i++) order[end[places[i] / page]++] = i;
    std::vector<uint8_t> whole(page);
    for (uint64_t number = 0, at = 0; number < pages; at = end[number++]) {
        int64_t read = 0;
        if (end[number] - at > few) {
            read = read_some(file, whole.data(), page, start + number * page);
            for (; at < end[number] && int64_t(places[order[at]] % page) < read; at++)
                bytes[order[at]] = whole[places[order[at]] % page];
        } else {
            for (; at < end[number]; at++)
                if ((read = read_some(file, &bytes[order[at]], 1, start + places[order[at]])) <= 0) break;
        }
        if (at < end[number]) return read < 0 ? errno : -1;
    }
    return 0;
}

// Write some of the bytes at that place: how many, or -1 with errno. Not every system takes more than 2 GB at a time.
static int64_t write_some(int file, const uint8_t* bytes, uint64_t size, uint64_t offset) {
    size = std::min(size, uint64_t(1) << 30);
#if defined(_WIN32)
    OVERLAPPED place{};
    place.Offset = DWORD(offset);
    place.OffsetHigh = DWORD(offset >> 32);
    DWORD written = 0;
    if (WriteFile(reinterpret_cast<HANDLE>(_get_osfhandle(file)), bytes, DWORD(size), &written, &place)) return written;
    errno = GetLastError() == ERROR_DISK_FULL ? ENOSPC : EIO;
    return -1;
#else
    return pwrite(file, bytes, size, off_t(offset));
#endif
}

int write_at(int file, const uint8_t* bytes, uint64_t size, uint64_t offset) {
    while (size > 0) {
        const int64_t written = write_some(file, bytes, size, offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : ENOSPC;
        bytes += written, size -= uint64_t(written), offset += uint64_t(written);
    }
    return 0;
}

}  // namespace noughts
