import type { FieldReader } from './field-reader.ts';
import { isImageReference } from './image-reference.ts';

export interface Directive {
  /** Upper case, for example `RUN`. */
  readonly kind: string;
  readonly value: string;
}

export type BuildConfiguration = ReturnType<typeof readBuild>;

/** Dockerfile instructions that a configuration may add to the build. */
const directiveKinds: ReadonlySet<string> = new Set([
  'RUN',
  'ENV',
  'ADD',
  'COPY',
  'ARG',
  'LABEL',
  'USER',
  'WORKDIR',
  'SHELL',
  'ENTRYPOINT',
  'CMD',
  'EXPOSE',
  'STOPSIGNAL',
  'VOLUME',
]);

const ignoredKeys = [
  'codeEntryType',
  'codeEntryAttributes',
  'registry',
  'noBaseImagesPull',
  'noCleanup',
  'onbuildImage',
  'functionConfigPath',
  'dependencies',
  'timestamp',
  'builderServiceAccount',
  'scriptPath',
  'tempDir',
  'offline',
  'mode',
  'runtimeAttributes',
  'replacements',
  'flags',
];

export function readBuild(build: FieldReader) {
  const image = imageName(build, 'image');
  const baseImage = imageName(build, 'baseImage');
  const directives = build.mapping('directives');
  const older = readCommands(build);
  const result = {
    image,
    baseImage,
    preCopy: [...readDirectives(directives, 'preCopy'), ...older.preCopy],
    postCopy: [...readDirectives(directives, 'postCopy'), ...older.postCopy],
    args: readArgs(build.mapping('args')),
    /** Folder on this computer; empty if the configuration has none. */
    path: readPath(build),
    /** Base64 of a single-file handler. */
    functionSourceCode: build.text('functionSourceCode') ?? '',
    noCache: build.truth('noCache') ?? false,
  };
  directives.finish();
  build.finish(ignoredKeys);
  return result;
}

function imageName(build: FieldReader, key: string): string {
  const name = build.text(key) ?? '';
  if (name === '' || isImageReference(name)) return name;
  build.problem(key, `"${name}" is not a valid image name.`);
  return '';
}

function readDirectives(directives: FieldReader, stage: string): Directive[] {
  return directives.mappings(stage).flatMap((entry) => {
    const kind = (entry.text('kind') ?? '').trim().toUpperCase();
    const value = (entry.text('value') ?? '').trim();
    if (!directiveKinds.has(kind)) {
      entry.problem(
        'kind',
        `"${kind}" is not a supported build directive. Supported: ${[...directiveKinds].join(', ')}.`,
      );
      return [];
    }
    if (value === '') {
      entry.problem('value', `${kind} needs a value.`);
      return [];
    }
    const bad = unfinishedLine(value);
    if (bad !== null) {
      entry.problem('value', `A line break must follow a "\\"; "${bad}" would start another directive.`);
      return [];
    }
    entry.finish();
    return [{ kind, value }];
  });
}

/** Finds text after a line break that does not continue its directive. It would be an unchecked directive. */
function unfinishedLine(value: string): string | null {
  const lines = value.split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    if (!isLast && !/\\\s*$/.test(line)) return (lines[index + 1] ?? '').trim().slice(0, 60);
  }
  return /\\\s*$/.test(lines.at(-1) ?? '') ? '\\' : null;
}

/** Lists of shell commands, as in configurations before 2018. */
function readCommands(build: FieldReader): { preCopy: Directive[]; postCopy: Directive[] } {
  const commands = build.texts('commands');
  const marker = commands.indexOf('@nuclio.postCopy');
  const run = (value: string): Directive => ({ kind: 'RUN', value });
  const usable = commands.map((value, index) => {
    if (unfinishedLine(value) === null) return value;
    build.problem('commands', `Command ${index + 1} has a line break that does not follow a "\\".`);
    return '';
  });
  const before = marker < 0 ? usable : usable.slice(0, marker);
  const after = marker < 0 ? [] : usable.slice(marker + 1);
  return { preCopy: before.filter(Boolean).map(run), postCopy: after.filter(Boolean).map(run) };
}

function readArgs(args: FieldReader): Record<string, string> {
  return Object.fromEntries(
    args.keys.flatMap((key): [string, string][] => {
      const value = args.text(key) ?? '';
      if (/^[A-Za-z_]\w*$/.test(key) && !/[\r\n]/.test(value)) return [[key, value]];
      args.problem(key, 'A build argument needs a name of letters, digits and "_", and a single-line value.');
      return [];
    }),
  );
}

function readPath(build: FieldReader): string {
  const path = build.text('path') ?? '';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    build.problem('path', 'The sources are on the network. Download them and set the path of their folder.');
    return '';
  }
  return path;
}
