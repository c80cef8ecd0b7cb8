#pragma once

/**
 * Before a function: compiles it for AVX-512, AVX2 and the baseline, and lets the dynamic linker choose.
 * Omitted where that is not possible: on other processors and compilers, and with sanitizers, which start
 * later than the linker's choice.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define NIGHTSWEEP_EVERY_INSTRUCTION_SET [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define NIGHTSWEEP_EVERY_INSTRUCTION_SET
#endif
