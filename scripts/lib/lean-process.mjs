/**
 * How the program's process is started so that it takes less memory. V8 and the C library read this when a process
 * begins; inside one it comes too late. Each of the settings took 25 to 45 MB off an import of
 * 270,000 annotations or more; the nursery costs 3 to 5 % more processor time.
 */

/**
 * The nursery of V8 grows to 64 MB in each thread that makes much garbage, and keeps it: 2 MB for each half are enough.
 * The rest of a heap may grow by 40 % between two collections, not by the 100 to 300 % that V8 allows.
 */
export const leanOptions = ['--max-semi-space-size=2', '--heap-growing-percent=40'];

/**
 * glibc has up to eight arenas for each processor, none of which gives back what another could use, and keeps freed
 * blocks the longer the larger they were: here two arenas, and blocks above 128 KiB go back at once. Other systems have
 * other allocators, which do not know these names.
 */
export const leanEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: String(128 * 1024) };
