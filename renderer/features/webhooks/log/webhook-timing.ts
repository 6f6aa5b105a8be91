/** The log, the queue and the receiver change by themselves; this machine answers at once. */
export const logRefreshMs = 1_500;
