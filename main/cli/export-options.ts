import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import {
  type DatasetExportOptions,
  arrangedKinds,
  arrangedTargets,
  exportOptionsSchema,
  togetherChoices,
} from '../../preload/contract/schema/export-options.ts';
import { usage } from './exit-codes.ts';
import { collect } from './options.ts';
import { defined } from '../platform/defined.ts';

export interface ExportCliOptions {
  readonly preset?: string;
  readonly frames?: string;
  readonly subsets?: string;
  readonly split?: string;
  readonly seed?: string;
  readonly keepTogether?: string;
  readonly namePattern?: string;
  readonly stratified?: boolean;
  readonly labels?: string;
  readonly rename?: readonly string[];
  readonly firstClassId?: string;
  readonly convert?: readonly string[];
  readonly minimumArea?: string;
  readonly imageSize?: string;
  readonly imageFormat?: string;
  readonly imageQuality?: string;
  readonly imageOrientation?: string;
  readonly numberedNames?: boolean;
}

/** Adds the export options that apply to every format. Each overrides the value of a preset. */
export function addExportOptions(command: Command): Command {
  return command
    .option('--preset <file>', 'JSON file with the options below, as saved by the export dialog')
    .option('--frames <list>', 'frames of a task or job, for example "0-100:10, 250"')
    .option('--subsets <names>', 'only these subsets, separated by commas')
    .option('--split <parts>', 'split the frames, for example train=80,val=10,test=10')
    .option('--seed <number>', 'seed of the split; the same seed gives the same split')
    .addOption(
      new Option('--keep-together <unit>', 'frames that stay in the same part of the split').choices([
        ...togetherChoices,
      ]),
    )
    .option('--name-pattern <expression>', 'keep names with the same first group in the same part')
    .option('--stratified', 'give every part of the split its share of each label')
    .option('--labels <names>', 'only these labels, in this order, separated by commas')
    .option('--rename <old=new>', 'rename a label; two may get the same name; may be repeated', collect)
    .option('--first-class-id <number>', 'number of the first class, 0 or 1, for formats with class numbers')
    .option(
      '--convert <kind=kind>',
      'convert objects, for example mask=rectangle, polygon=leave_out; may be repeated',
      collect,
    )
    .option('--minimum-area <pixels>', 'leave out objects with a smaller area in square pixels')
    .option('--image-size <pixels>', 'scale down larger images to this longest side, with their objects')
    .addOption(
      new Option('--image-format <format>', 'write copies of the images in this format').choices(['jpeg', 'png']),
    )
    .option('--image-quality <number>', 'quality of JPEG copies, 1 to 100')
    .addOption(
      new Option(
        '--image-orientation <mode>',
        'images with an EXIF orientation: upright (default), or original for unchanged files',
      ).choices(['upright', 'original']),
    )
    .option('--numbered-names', 'name the images 000001 and so on');
}

/** Returns undefined if none of the options is given. */
export async function statedExportOptions(options: ExportCliOptions): Promise<DatasetExportOptions | undefined> {
  const preset = options.preset === undefined ? {} : await readPreset(options.preset);
  const stated = { ...preset, ...ofOptions(options) };
  const labels = renamed(stated.labels, options.rename ?? []);
  const whole = labels ? { ...stated, labels } : stated;
  if (Object.keys(whole).length === 0) return undefined;
  const parsed = exportOptionsSchema.safeParse(whole);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usage(`${issue?.path.join('.') ?? 'The options'}: ${issue?.message ?? 'cannot be read'}.`);
}

async function readPreset(file: string): Promise<DatasetExportOptions> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw usage(`Cannot read the preset ${file}. Check its name, and that it is JSON.`);
  });
  try {
    return exportOptionsSchema.parse(JSON.parse(text));
  } catch {
    throw usage(
      `Cannot use ${file} as an export preset: it contains unknown options or invalid values. Save it again in the export dialog.`,
    );
  }
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function pair(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw usage(`Invalid value "${text}". Write it as name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw usage(`${option} must be a number, not "${text}".`);
  return number;
}

function ofOptions(options: ExportCliOptions): DatasetExportOptions {
  const { frames, subsets, labels, firstClassId, convert, minimumArea, numberedNames } = options;
  const split = splitOf(options);
  const images = imagesOf(options);
  return defined({
    frames,
    subsets: subsets === undefined ? undefined : list(subsets),
    split,
    labels: labels === undefined ? undefined : list(labels).map((name) => ({ name })),
    first_class_id: firstClassId === undefined ? undefined : numberOf(firstClassId, '--first-class-id'),
    shapes: convert === undefined ? undefined : Object.fromEntries(convert.map(conversion)),
    minimum_area: minimumArea === undefined ? undefined : numberOf(minimumArea, '--minimum-area'),
    images,
    names: numberedNames === true ? 'numbered' : undefined,
  });
}

function splitOf(options: ExportCliOptions): DatasetExportOptions['split'] {
  const { split, seed, keepTogether, namePattern, stratified } = options;
  if (split === undefined) {
    if (seed === undefined && keepTogether === undefined && namePattern === undefined && stratified !== true)
      return undefined;
    throw usage('Give the parts of the split, for example --split train=80,val=20.');
  }
  const together =
    togetherChoices.find((choice) => choice === keepTogether) ?? (namePattern === undefined ? undefined : 'name');
  return {
    parts: list(split).map((part) => {
      const [name, share] = pair(part);
      return { name, share: numberOf(share, '--split') };
    }),
    seed: seed === undefined ? undefined : numberOf(seed, '--seed'),
    keep_together: together,
    name_pattern: namePattern,
    stratified: stratified === true ? stratified : undefined,
  };
}

function imagesOf(options: ExportCliOptions): DatasetExportOptions['images'] {
  const { imageSize, imageFormat, imageQuality, imageOrientation } = options;
  if ([imageSize, imageFormat, imageQuality, imageOrientation].every((option) => option === undefined))
    return undefined;
  return {
    longest_side: imageSize === undefined ? undefined : numberOf(imageSize, '--image-size'),
    format: imageFormat === 'jpeg' || imageFormat === 'png' ? imageFormat : undefined,
    quality: imageQuality === undefined ? undefined : numberOf(imageQuality, '--image-quality'),
    orientation: imageOrientation === 'upright' || imageOrientation === 'original' ? imageOrientation : undefined,
  };
}

function conversion(text: string): [string, string] {
  const [kind, target] = pair(text);
  if (!arrangedKinds.some((known) => known === kind)) {
    throw usage(`Unknown kind "${kind}". Choose one of: ${arrangedKinds.join(', ')}.`);
  }
  if (!arrangedTargets.some((known) => known === target)) {
    throw usage(`Cannot convert a ${kind} to "${target}". Choose one of: ${arrangedTargets.join(', ')}.`);
  }
  return [kind, target];
}

/** Renames labels in the list; `--rename` needs `--labels` because without a list there is nothing to rename. */
function renamed(labels: DatasetExportOptions['labels'], renames: readonly string[]): DatasetExportOptions['labels'] {
  if (renames.length === 0) return labels;
  if (!labels) throw usage('--rename needs --labels with the labels to export, in order.');
  const names = new Map(renames.map(pair));
  const unknown = [...names.keys()].find((name) => !labels.some((label) => label.name === name));
  if (unknown !== undefined) throw usage(`--rename contains "${unknown}", which is not in --labels.`);
  return labels.map((label) => ({ ...label, as: names.get(label.name) ?? label.as }));
}
