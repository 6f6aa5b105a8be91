// Loaded before the program. Writes when it ran and listened to the file that LIMNER_BENCH_TIMES names.
import { tracingChannel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';

const began = performance.nodeTiming.bootstrapComplete;
let isWritten = false;
tracingChannel('net.server.listen').subscribe({
  asyncEnd() {
    if (isWritten) return;
    isWritten = true;
    const times = { origin: performance.timeOrigin, process: began, listening: performance.now() };
    writeFileSync(process.env.LIMNER_BENCH_TIMES ?? '', JSON.stringify(times));
  },
});
