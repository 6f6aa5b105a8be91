/**
 * Settings that reduce the memory of the program's process. V8 and the C library read them only when a process starts.
 * Each saved 25 to 45 MB in an import of 270,000 or more annotations; the smaller nursery costs 3 to 5 % more CPU time.
 */

/**
 * By default V8's nursery grows to 64 MB in each thread that allocates much, and does not shrink; 2 MB per semi-space
 * are enough. The rest of a heap may grow by 40 % between two collections instead of V8's 100 to 300 %.
 */
export const leanOptions = ['--max-semi-space-size=2', '--heap-growing-percent=40'];

/**
 * By default glibc has up to eight arenas per CPU, which do not share free memory, and raises its trim threshold with
 * the size of freed blocks. This sets two arenas and a fixed threshold of 128 KiB. Other C libraries ignore these
 * variables.
 */
export const leanEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: String(128 * 1024) };
