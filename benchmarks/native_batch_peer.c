// The peer of native_batch.py: who has won on n 3x3 boards, as one would write it in C, for the compiler to vectorise.
// (A loop over eight masks, (b & mask) == mask, was slower with GCC 12; a table of 512 entries much slower.)

#include <stddef.h>
#include <stdint.h>

static inline uint16_t lines(uint16_t b) {
    return (b & b >> 1 & b >> 2 & 0x49)   // rows start in the left column: cells 0, 3, 6
         | (b & b >> 3 & b >> 6 & 0x07)   // columns start in the top row: cells 0, 1, 2
         | (b & b >> 4 & b >> 8 & 0x01)
         | (b & b >> 2 & b >> 4 & 0x04);
}

void batch_status(const uint16_t *restrict x, const uint16_t *restrict o, uint8_t *restrict codes, size_t n) {
    for (size_t i = 0; i < n; i++)
        codes[i] = lines(x[i]) ? 1 : lines(o[i]) ? 2 : (x[i] | o[i]) == 0x1FF ? 3 : 0;
}
