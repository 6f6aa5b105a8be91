import { shapeTypes, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import { parseModelLabels } from './model-labels.ts';

const modelKinds = ['detector', 'interactor', 'tracker', 'reid'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** Model metadata from the annotations of a function's configuration. */
export type ModelDescription = Readonly<ReturnType<typeof describeModel>>;

export interface DescribedFunction {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export class ModelProblem extends Error {}

const imageFormats = ['png', 'jpeg', 'webp'];

/** @throws ModelProblem for a missing or unknown type, unreadable labels or duplicate labels */
export function describeModel({ name: id, description, annotations }: DescribedFunction) {
  const text = (key: string) => (annotations[key] ?? '').trim();
  const kind = modelKinds.find((one) => one === text('type'));
  if (kind === undefined) {
    throw new ModelProblem(
      text('type') === ''
        ? `Function "${id}" has no type. Set metadata.annotations.type to one of ${modelKinds.join(', ')}.`
        : `Function "${id}" has the unknown type "${text('type')}". Supported: ${modelKinds.join(', ')}.`,
    );
  }
  const { labels, problems } = parseModelLabels(text('spec'));
  const [problem] = problems;
  if (problem) throw new ModelProblem(`The labels of function "${id}" cannot be used: ${problem.message}`);
  const number = (key: string, fallback: number) => {
    const value = text(key);
    if (value === '') return fallback;
    if (!/^-?\d{1,6}$/.test(value)) {
      throw new ModelProblem(`Function "${id}" has the value "${value}" for ${key}, which is not an integer.`);
    }
    return Number(value);
  };
  return {
    id,
    kind,
    name: text('name') || id,
    description,
    version: number('version', 1),
    labels,
    minPosPoints: number('min_pos_points', 1),
    /** −1 if the model has no negative points. */
    minNegPoints: number('min_neg_points', -1),
    startsWithBox: isTrue(text('startswith_box')),
    startsWithBoxOptional: isTrue(text('startswith_box_optional')),
    /** A detector that looks for the names in the mapping. */
    takesPhrases: isTrue(text('takes_phrases')),
    /** A detector that fills in tags and attributes of the task's labels instead of having labels. */
    fillsAttributes: isTrue(text('fills_attributes')),
    helpMessage: text('help_message'),
    animatedGif: text('animated_gif'),
    /** Null for trackers of the older protocol, which take only rectangles as bare point arrays. */
    supportedShapeTypes: readShapeTypes(id, annotations['supported_shape_types']),
    /** Image formats that the function reads; empty for all. Frames in other formats are converted to the first one. */
    imageFormats: text('image_formats')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((format) => imageFormats.includes(format)),
  };
}

/** Annotation values are strings. CVAT takes every non-empty string for true, even "false"; authors mean false. */
const isTrue = (text: string): boolean => text !== '' && !/^(false|no|off|0)$/i.test(text);

function readShapeTypes(id: string, value: string | undefined): readonly ShapeType[] | null {
  if (value === undefined) return null;
  const types = value.split(',').map((part) => part.trim());
  return types.map((type) => {
    const known = shapeTypes.find((one) => one === type);
    if (known !== undefined) return known;
    throw new ModelProblem(`Function "${id}" lists the unknown shape type "${type}" in its supported shape types.`);
  });
}
