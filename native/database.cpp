#include "database.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
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

using solve::Code, solve::Strong;

void locate_all(const Strong& solver, const uint32_t* x, const uint32_t* o, uint64_t count, uint64_t* places,
                Code* codes) {
    for (uint64_t i = 0; i < count; i++) {
        places[i] = solver.locate({x[i], o[i]});
        if (places[i] == Strong::no_byte) codes[i] = solver.without_byte({x[i], o[i]});
    }
}

uint64_t first_wrong(const Strong& solver, int level, uint64_t begin, uint64_t end, const Code* bytes,
                     const Code* next_level, int threads, const Poll& poll) {
    std::atomic<uint64_t> found{end};
    share_out(end - begin, 2048, threads, poll, [&](uint64_t first, uint64_t count) {
        for (uint64_t place = begin + first; place < begin + first + count; place++) {
            if (solver.derive(solver.position_at(level, place), next_level) == bytes[place]) continue;
            for (uint64_t least = found; place < least && !found.compare_exchange_weak(least, place);) {}
            return;
        }
    });
    return found;
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
