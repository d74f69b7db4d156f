// FIPS 180-4, sections 4.2.2 and 6.2.2, four rounds a step. What the instructions want to be given is
// said in the manuals of their makers: Intel's "SHA Extensions", Arm's "Cryptographic Extension".
#include "CSHA256.h"

#if defined(__x86_64__) || defined(__aarch64__)

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static bool has_instructions(void);
static void compress(uint32_t words[8], const uint8_t *block, size_t count);

bool refold_sha256_compress(uint32_t words[8], const void *blocks, size_t count) {
  // 0: not asked yet. Whoever asks at the same time gets the same answer.
  static int answer = 0;
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    known = has_instructions() ? 1 : 2;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  if (known == 2) return false;
  compress(words, blocks, count);
  return true;
}

#else

bool refold_sha256_compress(uint32_t words[8], const void *blocks, size_t count) {
  (void)words;
  (void)blocks;
  (void)count;
  return false;
}

#endif

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  bool has_shuffles = (c & bit_SSSE3) && (c & bit_SSE4_1);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return has_shuffles && (b & bit_SHA);
}

// The instructions hold a, b, e, f in one register and c, d, g, h in another, the first word highest.
__attribute__((target("sha,ssse3,sse4.1"))) static void compress(
    uint32_t words[8], const uint8_t *block, size_t count) {
  const __m128i reversed = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; count > 0; count--, block += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
#pragma clang loop unroll(full)
    for (int step = 0; step < 16; step++) {
      __m128i *now = &w[step & 3], after_next = w[(step + 2) & 3], last = w[(step + 3) & 3];
      if (step < 4) {
        *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * step)), reversed);
      } else {
        __m128i sum = _mm_sha256msg1_epu32(*now, w[(step + 1) & 3]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(last, after_next, 4));
        *now = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i added =
          _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(constants + 4 * step)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__)
#include <arm_neon.h>

#if defined(__linux__)
#include <sys/auxv.h>
#ifndef HWCAP_SHA2
#define HWCAP_SHA2 (1 << 6)
#endif
static bool has_instructions(void) { return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0; }
#else
static bool has_instructions(void) { return false; }
#endif

__attribute__((target("sha2"))) static void compress(
    uint32_t words[8], const uint8_t *block, size_t count) {
  uint32x4_t abcd = vld1q_u32(words), efgh = vld1q_u32(words + 4);
  for (; count > 0; count--, block += 64) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t w[4];
#pragma clang loop unroll(full)
    for (int step = 0; step < 16; step++) {
      uint32x4_t *now = &w[step & 3], after_next = w[(step + 2) & 3], last = w[(step + 3) & 3];
      if (step < 4) {
        *now = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * step)));
      } else {
        *now = vsha256su1q_u32(vsha256su0q_u32(*now, w[(step + 1) & 3]), after_next, last);
      }
      uint32x4_t added = vaddq_u32(*now, vld1q_u32(constants + 4 * step));
      uint32x4_t abcd_now = abcd;
      abcd = vsha256hq_u32(abcd, efgh, added);
      efgh = vsha256h2q_u32(efgh, abcd_now, added);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(words, abcd);
  vst1q_u32(words + 4, efgh);
}
#endif
