import { AppError } from '../../platform/errors.ts';

export type KeyPath = readonly (string | number)[];

export interface ConfigurationFinding {
  readonly file: string;
  /** 1-based; null if the configuration was not parsed from text. */
  readonly line: number | null;
  /** For example `spec.triggers.myHttpTrigger.maxWorkers`; empty for the file itself. */
  readonly key: string;
  readonly message: string;
}

/** All problems of a configuration. The message is the first one with its location. */
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
