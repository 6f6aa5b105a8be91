import { usage } from './exit-codes.ts';
import { defined } from '../platform/defined.ts';

export interface StatedImportOptions {
  readonly option?: readonly string[];
  readonly mapLabel?: readonly string[];
  readonly skipLabel?: readonly string[];
  readonly createLabels?: boolean;
  readonly unknownAttributes?: string;
  readonly addImages?: boolean;
  readonly subset?: string;
  readonly matchFrames?: string;
  readonly masks?: string;
  readonly encoding?: string;
}

/**
 * Import options as a JSON object for the service. Masks stay masks by default; API clients that send no options get
 * polygons, as in CVAT.
 */
export function importOptions(stated: StatedImportOptions): string {
  const pairs = formatOptions(stated.option ?? []);
  const mapping = { ...labelMapping(stated), ...recordOf(pairs['label_mapping']) };
  const options = {
    ...pairs,
    ...defined({
      label_mapping: Object.keys(mapping).length === 0 ? undefined : mapping,
      create_labels: stated.createLabels ? 'all' : undefined,
      unknown_attributes: stated.unknownAttributes,
      add_images: stated.addImages,
      subset: stated.subset,
      frame_matching: stated.matchFrames,
      encoding: stated.encoding,
      masks: stated.masks ?? (pairs['conv_mask_to_poly'] === undefined ? 'keep' : undefined),
    }),
  };
  return JSON.stringify(options);
}

/** Parses `--option name=value`. Values that are valid JSON are parsed, all others are text. */
export function formatOptions(stated: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    stated.map((text): [string, unknown] => {
      const [name, value] = parts(text, '--option', 'name=value');
      return [name, optionValue(value)];
    }),
  );
}

function labelMapping({ mapLabel = [], skipLabel = [] }: StatedImportOptions): Record<string, string | null> {
  return Object.fromEntries<string | null>([
    ...mapLabel.map((text) => parts(text, '--map-label', 'label=label')),
    ...skipLabel.map((label): [string, null] => [label, null]),
  ]);
}

function parts(text: string, option: string, form: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw usage(`${option} takes ${form}, not ${JSON.stringify(text)}.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

const recordOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function optionValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
