import { AppError } from '../../platform/errors.ts';

/** Keys and list positions from the top of a configuration. */
export type KeyPath = readonly (string | number)[];

/** Something that a configuration says wrong, or says in vain. */
export interface ConfigurationFinding {
  readonly file: string;
  /** Counted from 1; null where the configuration did not come as text. */
  readonly line: number | null;
  /** For example `spec.triggers.myHttpTrigger.maxWorkers`; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

/** Every problem of a configuration; its message is the first one, with its place. */
export class ConfigurationError extends AppError {
  readonly findings: readonly ConfigurationFinding[];

  constructor(findings: readonly ConfigurationFinding[]) {
    const sentences = findings.map(findingSentence);
    super('invalid', sentences.join('\n'), { configuration: sentences });
    this.name = 'ConfigurationError';
    this.findings = findings;
  }
}

/** For example `function.yaml, line 12, spec.handler: …`. */
export function findingSentence({ file, line, key, message }: ConfigurationFinding): string {
  const place = [file, ...(line === null ? [] : [`line ${line}`]), ...(key === '' ? [] : [key])].join(', ');
  return `${place}: ${message}`;
}

export function keyText(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
