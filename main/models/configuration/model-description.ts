import { shapeTypes, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import { parseModelLabels } from './model-labels.ts';

const modelKinds = ['detector', 'interactor', 'tracker', 'reid'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** What a function tells about the model in it, from the annotations of its configuration. */
export type ModelDescription = Readonly<ReturnType<typeof describeModel>>;

/** A function as every provider knows it. */
export interface DescribedFunction {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Why a function cannot be used as a model. */
export class ModelProblem extends Error {}

/** Those that frames can be turned into. */
const imageFormats = ['png', 'jpeg', 'webp'];

/**
 * @throws ModelProblem with a sentence: no or an unknown type, labels that cannot be read, labels that are there twice
 */
export function describeModel({ name: id, description, annotations }: DescribedFunction) {
  const text = (key: string) => (annotations[key] ?? '').trim();
  const kind = modelKinds.find((one) => one === text('type'));
  if (kind === undefined) {
    throw new ModelProblem(
      text('type') === ''
        ? `Function "${id}" does not say its type (metadata.annotations.type: ${modelKinds.join(', ')}).`
        : `Function "${id}" has the type "${text('type')}", which is none of ${modelKinds.join(', ')}.`,
    );
  }
  const { labels, problems } = parseModelLabels(text('spec'));
  const [problem] = problems;
  if (problem) throw new ModelProblem(`The labels of function "${id}" cannot be used: ${problem.message}`);
  const number = (key: string, fallback: number) => {
    const value = text(key);
    if (value === '') return fallback;
    if (!/^-?\d{1,6}$/.test(value)) {
      throw new ModelProblem(`Function "${id}" says "${value}" for ${key}, which is not a whole number.`);
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
    /** −1: the model knows no negative points. */
    minNegPoints: number('min_neg_points', -1),
    startsWithBox: isTrue(text('startswith_box')),
    startsWithBoxOptional: isTrue(text('startswith_box_optional')),
    helpMessage: text('help_message'),
    animatedGif: text('animated_gif'),
    /** Null for trackers of the older protocol: rectangles only, as bare arrays of points. */
    supportedShapeTypes: readShapeTypes(id, annotations['supported_shape_types']),
    /** Image formats that the function reads, when it does not read all: frames in others reach it as the first one. */
    imageFormats: text('image_formats')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((format) => imageFormats.includes(format)),
  };
}

/** Annotation values are texts; CVAT takes every text for true, "false" as well, which nobody who writes it means. */
const isTrue = (text: string): boolean => text !== '' && !/^(false|no|off|0)$/i.test(text);

function readShapeTypes(id: string, value: string | undefined): readonly ShapeType[] | null {
  if (value === undefined) return null;
  const types = value.split(',').map((part) => part.trim());
  return types.map((type) => {
    const known = shapeTypes.find((one) => one === type);
    if (known !== undefined) return known;
    throw new ModelProblem(`Function "${id}" names "${type}" among its supported shape types, which is none.`);
  });
}
