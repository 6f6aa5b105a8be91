/** Output of progress: standard error in the program, a fake in tests. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** `fraction` from 0 to 1, or `null` while the amount is unknown. */
  update(fraction: number | null, message?: string): void;
  /** Ends the bar's line, so that later output starts on a new one. */
  finish(message?: string): void;
}

const barWidth = 24;
const redrawMs = 80;
const plainStep = 0.1;

/** A bar that redraws itself on a terminal; otherwise one plain line for each tenth, so that logs stay short. */
export function createProgressBar(
  title: string,
  output: ProgressOutput,
  now: () => number = () => performance.now(),
): ProgressBar {
  return output.isTTY ? terminalBar(title, output, now) : plainLines(title, output);
}

function terminalBar(title: string, output: ProgressOutput, now: () => number): ProgressBar {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let last = '';
  const draw = (line: string): void => {
    // Truncated to the width: a wrapped line cannot be redrawn in place.
    const shown = line.slice(0, Math.max(10, (output.columns || 80) - 1));
    if (shown === last) return;
    output.write(`\r\u001B[2K${shown}`);
    last = shown;
  };
  return {
    update(fraction, message = '') {
      if (now() - drawnAt < redrawMs && fraction !== 1) return;
      drawnAt = now();
      draw(`${title} ${bar(fraction)}${message === '' ? '' : `  ${message}`}`);
    },
    finish(message) {
      if (message !== undefined) draw(`${title} ${message}`);
      if (last !== '') output.write('\n');
      last = '';
    },
  };
}

function bar(fraction: number | null): string {
  if (fraction === null) return '…';
  const share = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(share * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

function plainLines(title: string, output: ProgressOutput): ProgressBar {
  let nextStep = 0;
  let lastMessage: string | null = null;
  return {
    update(fraction, message = '') {
      const reached = fraction !== null && fraction >= nextStep;
      const changed = fraction === null && message !== lastMessage;
      if (!reached && !changed) return;
      if (fraction !== null) nextStep = (Math.floor(fraction / plainStep + 1e-9) + 1) * plainStep;
      lastMessage = message;
      const share = fraction === null ? '' : ` ${Math.floor(fraction * 100)} %`;
      output.write(`${title}${share}${message === '' ? '' : `: ${message}`}\n`);
    },
    finish(message) {
      if (message !== undefined) output.write(`${title}: ${message}\n`);
    },
  };
}
