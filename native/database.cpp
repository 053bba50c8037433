#include "database.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>

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

void locate_all(const Solver& solver, const uint32_t* x, const uint32_t* o, uint64_t count, uint64_t* places, Code* codes) {
    for (uint64_t i = 0; i < count; i++) {
        places[i] = solver.locate(x[i], o[i]);
        if (places[i] == Solver::no_byte) codes[i] = solver.lookup(x[i], o[i], nullptr);
    }
}

uint64_t first_wrong(const Solver& solver, int level, uint64_t begin, uint64_t end, const Code* bytes, const Code* next_level,
                     int threads, const Poll& poll) {
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
