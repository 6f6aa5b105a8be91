import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { createLabelledFrames } from '../kit/label-folders.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';
import { exportLfw } from './export.ts';
import { format, namesOfToken, nobody, pairAttributes } from './pairs.ts';

interface LfwFiles {
  readonly subset: string;
  readonly pairs: string;
  readonly people: string | undefined;
  readonly landmarks: string | undefined;
}

/** `<subset>/annotations/pairs.txt` at any depth. */
function findLfwFiles(source: Source): LfwFiles[] {
  return source.entries.flatMap(({ path }): LfwFiles[] => {
    const match = /^((?:(?:.*\/)?([^/]+)\/)?annotations\/|(?:(?:.*\/)?([^/]+)\/)?)pairs\.txt$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, folder = '', above, own] = match;
    const beside = (name: string): string | undefined =>
      source.has(`${folder}${name}`) ? `${folder}${name}` : undefined;
    const subset = above ?? own ?? 'default';
    return [{ subset, pairs: path, people: beside('people.txt'), landmarks: beside('landmarks.txt') }];
  });
}

const landmarkNumbers = 10;

interface NamedImage {
  readonly frame: FrameInfo;
  /** `person/name`, as in other rows and attributes. */
  readonly name: string;
}

interface Person {
  readonly name: string;
  readonly at: string;
  readonly positive: string[];
  readonly negative: string[];
}

interface Reading {
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  readonly frameOf: ReturnType<typeof createLabelledFrames>;
}

async function readPeople(
  source: Source,
  path: string | undefined,
  { task_data, options: { report } }: Reading,
): Promise<ReadonlySet<string>> {
  const lines = path === undefined ? [] : splitLines(await source.read(path));
  const people = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const [name = '', count, ...more] = line.split('\t');
    // The published list starts with the number of persons.
    const isHead = count === undefined && index === 0 && /^\d+$/.test(name.trim());
    if (line.trim() === '' || isHead) continue;
    if (name === '' || count === undefined || more.length > 0)
      report.invalid(
        path ?? '',
        `line ${index + 1}`,
        'a line must have a person and the number of images, separated by a tab',
      );
    else people.add(name);
  }
  for (const name of people) task_data.declare_label?.({ name });
  return people;
}

/** Person of each image by frame number. Each image has one person: the first that a row names. */
function createPersons(file: string, report: FormatReport) {
  const persons = new Map<number, Person>();
  const personOn = ({ frame }: NamedImage, name: string, at: string): Person | undefined => {
    const known = persons.get(frame.frame);
    if (known?.name === name) return known;
    if (known) {
      report.invalid(
        file,
        at,
        `image "${frame.name}" shows "${known.name}" by ${known.at}, not "${name.slice(0, 200)}"`,
      );
      return undefined;
    }
    const person: Person = { name, at, positive: [], negative: [] };
    persons.set(frame.frame, person);
    return person;
  };

  return { persons, personOn };
}

async function readSet(
  source: Source,
  { subset, pairs, people: list, landmarks }: LfwFiles,
  reading: Reading,
): Promise<void> {
  const { task_data, options, frameOf } = reading;
  const { report } = options;
  const people = await readPeople(source, list, reading);
  const { persons, personOn } = createPersons(pairs, report);
  const isPerson = (name: string): boolean =>
    people.size > 0 ? people.has(name) : task_data.label(name) !== undefined;

  const imageOf = (person: string, token: string): NamedImage | undefined => {
    for (const name of namesOfToken(person, token)) {
      const frame = frameOf(person === nobody ? '' : person, `${name}.jpg`, subset, pairs);
      if (frame) return { frame, name: person === nobody ? name : `${person}/${name}` };
    }
    return undefined;
  };

  /** Splits `person/name`. Without a person's folder, all of it is the name. */
  const splitName = (whole: string): readonly [person: string | undefined, name: string] => {
    const slash = whole.indexOf('/');
    const first = whole.slice(0, Math.max(0, slash));
    return slash > 0 && isPerson(first) ? [first, whole.slice(slash + 1)] : [undefined, whole];
  };

  const takePair = (
    at: string,
    [person1, token1]: readonly [string, string],
    [person2, token2]: readonly [string, string],
    kind: 'positive' | 'negative',
  ): void => {
    const images = [imageOf(person1, token1), imageOf(person2, token2)] as const;
    const [one, two] = images;
    const first = one && personOn(one, person1, at);
    if (two && person2 !== nobody) personOn(two, person2, at);
    const missing = images.findIndex((image) => !image);
    if (missing >= 0) {
      const name = missing === 0 ? `${person1} ${token1}` : `${person2} ${token2}`;
      report.invalid(pairs, at, `image "${name.slice(0, 200)}" is not in the task: the pair was left out`);
    } else if (first && two) first[kind].push(two.name);
  };

  const imageOfName = (person: string, name: string): NamedImage | undefined => {
    const frame = frameOf(person, `${name}.jpg`, subset, pairs);
    return frame && { frame, name: `${person}/${name}` };
  };

  const takeLine = (line: string, lineNumber: number): void => {
    const at = `line ${lineNumber}`;
    if (line.trim() === '') return undefined;
    const [a = '', b = '', c = '', d = '', ...more] = line.split('\t');
    const count = line.split('\t', 6).length;
    // The published lists start with the number of sets and of pairs.
    if (lineNumber === 1 && count <= 2 && /^[\d\s]+$/.test(line)) return undefined;
    if (count === 3) return takePair(at, [a, b], [a, c], 'positive');
    if (count === 4) return takePair(at, [a, b], [c, d], 'negative');
    if (count !== 1 || more.length > 0)
      return report.invalid(pairs, at, 'a line must have an image, or the two images of a pair, separated by tabs');
    const [person, name] = splitName(line);
    if (person === undefined) return undefined;
    const image = imageOfName(person, name);
    if (image) personOn(image, person, at);
    else report.invalid(pairs, at, `image "${line.slice(0, 200)}" is not in the task: its person was left out`);
    return undefined;
  };

  const takeLandmarks = (path: string, line: string, lineNumber: number): void => {
    if (line.trim() === '') return undefined;
    const bad = (reason: string): void => report.invalid(path, `line ${lineNumber}`, reason);
    const [file = '', ...texts] = line.split('\t');
    const values = texts.map((text) => readNumber(text.trim()));
    if (values.length !== landmarkNumbers || values.some(Number.isNaN))
      return bad('a line must have an image and ten numbers, separated by tabs');
    const [person, name] = splitName(withoutExtension(file));
    const frame = frameOf(person ?? '', `${name}.jpg`, subset, path);
    if (!frame) return bad(`image "${file.slice(0, 200)}" is not in the task: its landmarks were left out`);
    const label = person ?? persons.get(frame.frame)?.name;
    if (label === undefined) return bad(`the person on image "${file.slice(0, 200)}" is not stated`);
    return createAnnotationAdder(task_data, report, path).shape(
      plainShape({
        type: 'points',
        frame: frame.frame,
        label,
        points: values,
      }),
      `line ${lineNumber}`,
    );
  };

  await readRows(source, pairs, reading, takeLine);
  const add = createAnnotationAdder(task_data, report, pairs);
  for (const [frame, { name, at, positive, negative }] of persons)
    add.tag({ frame, label: name, attributes: pairAttributes(positive, negative), group: 0, source: 'file' }, at);
  if (landmarks !== undefined)
    await readRows(source, landmarks, reading, (line, number) => takeLandmarks(landmarks, line, number));
}

/** Reads LFW: tags that name the person of an image, with images of the same and of other persons; face landmarks. */
const importLfw: DatasetReader = async (source, task_data, options) => {
  const reading: Reading = { task_data, options, frameOf: createLabelledFrames(task_data) };
  await readDatasetFiles<LfwFiles>(source, task_data, options, {
    format,
    needs: 'pairs of images in files such as train/annotations/pairs.txt',
    find: () => someOf(findLfwFiles(source)),
    read: (files) => readSet(source, files, reading),
  });
};

/** Detects a list of pairs, in its folder or beside a list of people. */
const detectLfw = amongFiles((source) => {
  const files = findLfwFiles(source).find(({ pairs }) => isWithinReach(pairs));
  if (!files) return null;
  const { pairs, people } = files;
  if (people !== undefined)
    return {
      reason: `${pairs} has the file name of the pairs of LFW, and a list of people is beside it.`,
      confidence: 0.95,
    };
  const isInPlace = /(^|\/)annotations\//.test(pairs);
  return { reason: `${pairs} has the file name of the pairs of LFW.`, confidence: isInPlace ? 0.7 : 0.4 };
});

export const lfw = defineFormat({
  name: 'LFW',
  version: '1.0',
  support: { points: 'both', tag: 'both', track: 'converted', attribute: 'partial' },
  detect: detectLfw,
  read: importLfw,
  write: exportLfw,
});
