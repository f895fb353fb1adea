// How the service's process is started. Under load the engine would let its young objects take 128 MB and more before
// it looks at them, and the C library keeps a heap for each of up to eight threads a core: of memory that is never
// given back, both are most. Set before the process begins, since neither can be changed in it.
export const engineFlags = ['--max-semi-space-size=16'];
export const engineSettings = { MALLOC_ARENA_MAX: '2' };
