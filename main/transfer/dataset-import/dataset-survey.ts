import { labelTypes, type LabelType, type LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import type {
  Attribute,
  FileLabel,
  FrameInfo,
  FrameMatch,
  LabeledShape,
  TaskData,
  TaskMeta,
  Track,
} from '../../formats/kit/task-data.ts';
import { safeRelativeName } from '../../media/safe-path.ts';
import type { ArchiveImages } from './archive-images.ts';

/** An image of the dataset: a frame of the task that its subset becomes. */
export interface SurveyedFrame {
  /** Path in the archive. */
  readonly entry: string;
  /** Name in the task. */
  readonly name: string;
}

export interface SurveyedSubset {
  readonly name: string;
  readonly frames: readonly SurveyedFrame[];
}

/** What an archive holds, as far as it must be known before tasks can be made of it. */
export interface DatasetSurvey {
  readonly subsets: readonly SurveyedSubset[];
  readonly labels: readonly LabelWrite[];
  /** Which frame each name means that the annotations use: `[key, subset, name in the task]`; see {@link matchKey}. */
  readonly matches: readonly (readonly [key: string, subset: string, name: string])[];
  /** Images that the annotations speak of and that the archive does not hold. */
  readonly missing: { readonly count: number; readonly names: readonly string[] };
}

export const matchKey = ({ subset, name }: FrameMatch): string => `${subset ?? ''}\u0000${name ?? ''}`;

const defaultSubset = 'default';
const maxNamed = 5;
const maxAttributes = 200;
const maxAttributeName = 64;

export type SurveyData = ReturnType<typeof createSurveyData>;

/**
 * A task that is everything a file wants it to be: it has every label and every image of the archive. An importer that
 * runs over it tells which images belong to which subset, under which names, and which labels and attributes occur,
 * whatever its format.
 */
export function createSurveyData(images: ArchiveImages) {
  const subsets = new Map<string, Map<string, SurveyedFrame>>();
  const matches = new Map<string, { subset: string; frame: SurveyedFrame; number: number } | null>();
  const numbers: FrameInfo[] = [];
  /** Stated names by their last part: a format may try several names for one image. */
  const missing = new Map<string, string>();
  const labels = createLabelCollector();

  function claim(subset: string, frame: SurveyedFrame): void {
    const frames = subsets.get(subset) ?? new Map<string, SurveyedFrame>();
    subsets.set(subset, frames);
    if (!frames.has(frame.entry)) frames.set(frame.entry, frame);
  }

  function match(item: FrameMatch): number | null {
    const key = matchKey(item);
    const known = matches.get(key);
    if (known !== undefined) return known?.number ?? null;
    const name = item.name ?? '';
    const subset = item.subset ?? defaultSubset;
    const image = name === '' ? undefined : images.find(name, subset);
    if (!image) {
      matches.set(key, null);
      const base = name.slice(name.lastIndexOf('/') + 1);
      if (base !== '' && !missing.has(base)) missing.set(base, name);
      return null;
    }
    const frame = subsets.get(subset)?.get(image.entry) ?? { entry: image.entry, name: nameFor(name, image.entry) };
    claim(subset, frame);
    const number = numbers.push(frameInfo(numbers.length, frame.name, subset)) - 1;
    matches.set(key, { subset, frame, number });
    return number;
  }

  const data: TaskData = {
    meta: surveyMeta,
    shapes: [],
    tracks: [],
    drawn_tracks: [],
    tags: [],
    frames: [],
    frame_count: 0,
    group_by_frame: () => [],
    frame_image: async () => null,
    match_frame: match,
    // A file that speaks of frames by number means the images in their order, which is not known yet.
    frame_info: (frame) =>
      Number.isInteger(frame) && frame >= 0 ? (numbers[frame] ?? frameInfo(frame, '', '')) : undefined,
    label: () => undefined,
    declare_label: (label) => labels.declare(label),
    add_tag: (tag) => labels.object(tag.label, 'tag', tag.attributes, false),
    add_shape: (shape) => labels.shape(shape),
    add_track: (track) => labels.track(track),
  };

  return {
    data,
    report: createFormatReport(),
    result(): DatasetSurvey {
      const claimed = new Set([...subsets.values()].flatMap((frames) => [...frames.keys()]));
      const taken = new Set(
        [...subsets].flatMap(([subset, frames]) => [...frames.values()].map(({ name }) => `${subset}\u0000${name}`)),
      );
      for (const { entry, name, subset } of images.others(claimed, new Set(subsets.keys()))) {
        const key = `${subset}\u0000${name}`;
        claim(subset, { entry, name: taken.has(key) ? entry : name });
        taken.add(key);
      }
      const found = [...matches].flatMap(([key, match]) =>
        match ? [[key, match.subset, match.frame.name] as const] : [],
      );
      return {
        subsets: [...subsets].map(([name, frames]) => ({ name, frames: [...frames.values()] })),
        labels: labels.result(),
        matches: found,
        missing: { count: missing.size, names: [...missing.values()].slice(0, maxNamed) },
      };
    },
  };
}

/** The name as the annotations have it, with the extension that the file has. */
function nameFor(stated: string, entry: string): string {
  const name = safeRelativeName(stated);
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(entry)?.[0] ?? '';
  const own = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0];
  return own?.toLowerCase() === extension.toLowerCase()
    ? name
    : `${own === undefined ? name : name.slice(0, -own.length)}${extension}`;
}

const frameInfo = (frame: number, name: string, subset: string): FrameInfo => ({
  frame,
  name,
  width: 1,
  height: 1,
  subset,
  task_id: 0,
});

const surveyMeta: TaskMeta = {
  kind: 'project',
  id: 0,
  name: '',
  mode: 'annotation',
  size: 0,
  overlap: 0,
  bug_tracker: '',
  created_date: '',
  updated_date: '',
  subset: defaultSubset,
  start_frame: 0,
  stop_frame: 0,
  frame_step: 1,
  frame_filter: '',
  segments: [],
  owner: null,
  assignee: null,
  labels: [],
  source: '',
  tasks: [],
  dumped: '',
};

interface Found {
  readonly declared: FileLabel | undefined;
  readonly types: Set<string>;
  /** Values by attribute; mutable where it stands at a track's shape. */
  readonly attributes: Map<string, { readonly values: Set<string>; mutable: boolean }>;
  readonly sublabels: Map<string, Found>;
}

const found = (declared?: FileLabel): Found => ({
  declared,
  types: new Set(),
  attributes: new Map(),
  sublabels: new Map((declared?.sublabels ?? []).map((sublabel) => [sublabel.name, found(sublabel)])),
});

/** Learns labels, their attributes and their types from the objects of a file. */
export function createLabelCollector() {
  const labels = new Map<string, Found>();
  const entry = (from: Map<string, Found>, name: string): Found => {
    const known = from.get(name) ?? found();
    from.set(name, known);
    return known;
  };

  function note(label: Found, type: string, attributes: readonly Attribute[], mutable: boolean): void {
    label.types.add(type);
    for (const { name, value } of attributes) {
      if (name.trim() !== name || name === '' || name.length > maxAttributeName) continue;
      const known = label.attributes.get(name) ?? { values: new Set(), mutable };
      if (label.attributes.size < maxAttributes) label.attributes.set(name, known);
      if (known.values.size < 3) known.values.add(value.toLowerCase());
    }
  }
  function shape(value: LabeledShape, from: Map<string, Found>): void {
    const label = entry(from, value.label);
    note(label, value.type, value.attributes, false);
    for (const element of value.elements ?? []) shape(element, label.sublabels);
  }
  function track(value: Track, from: Map<string, Found>): void {
    const label = entry(from, value.label);
    note(label, value.shapes[0]?.type ?? 'any', value.attributes ?? [], false);
    for (const one of value.shapes) note(label, one.type, one.attributes, true);
    for (const element of value.elements ?? []) track(element, label.sublabels);
  }

  return {
    declare(label: FileLabel): void {
      if (!labels.has(label.name)) labels.set(label.name, found(label));
    },
    object: (name: string, type: string, attributes: readonly Attribute[], mutable: boolean) =>
      note(entry(labels, name), type, attributes, mutable),
    shape: (value: LabeledShape) => shape(value, labels),
    track: (value: Track) => track(value, labels),
    result: (): LabelWrite[] => [...labels].map(([name, label]) => labelOf(name, label, null)),
  };
}

const isLabelType = (type: string | undefined): type is LabelType => labelTypes.some((known) => known === type);

function labelOf(name: string, label: Found, parentType: LabelType | null): LabelWrite {
  const { declared, types, attributes, sublabels } = label;
  const isSkeleton = types.has('skeleton') || (parentType === null && sublabels.size > 0);
  const [only] = types;
  const guessed = isSkeleton
    ? 'skeleton'
    : parentType !== null && types.size === 1 && isLabelType(only)
      ? only
      : undefined;
  const type = isLabelType(declared?.type) ? declared.type : (guessed ?? (parentType === null ? 'any' : 'points'));
  const color = /^#[0-9a-f]{6}$/i.test(declared?.color ?? '') ? { color: declared?.color } : {};
  const known = (declared?.attributes ?? []).map(({ name: attribute, ...rest }) => ({
    name: attribute,
    ...rest,
    // Only known input types come from importers.
    input_type: rest.input_type as NonNullable<LabelWrite['attributes']>[number]['input_type'],
    values: [...rest.values],
  }));
  const extra = [...attributes].filter(([attribute]) => !known.some((one) => one.name === attribute));
  return {
    name,
    type,
    ...color,
    ...(declared?.svg === undefined ? {} : { svg: declared.svg }),
    attributes: [
      ...known,
      ...extra.map(([attribute, { values, mutable }]) => freeAttribute(attribute, values, mutable)),
    ],
    ...(type === 'skeleton'
      ? { sublabels: [...sublabels].map(([sublabel, one]) => labelOf(sublabel, one, type)) }
      : {}),
  };
}

/** An attribute that only its values tell about: yes or no, or any text. */
function freeAttribute(name: string, values: ReadonlySet<string>, mutable: boolean) {
  const isCheckbox = values.size > 0 && [...values].every((value) => value === 'true' || value === 'false');
  return {
    name,
    mutable,
    input_type: isCheckbox ? ('checkbox' as const) : ('text' as const),
    default_value: isCheckbox ? 'false' : '',
    values: isCheckbox ? ['false'] : [],
  };
}
