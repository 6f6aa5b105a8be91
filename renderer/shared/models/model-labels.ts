import { filledLabels, labelsFit, objectLabels } from '../../../preload/contract/label-fit.ts';
import type { LambdaFunction, LambdaLabel } from '../../../preload/contract/schema/functions.ts';
import type { Attribute, Label } from '../../../preload/contract/schema/labels.ts';

/** Id of the task's label by name of the model's label; null drops results of that name. */
export type LabelChoice = Readonly<Record<string, number | null>>;

type AnyLabel = Pick<Label, 'name' | 'type' | 'attributes'>;

/** Names without case, separators and plural endings. */
const plain = (name: string): string => {
  const joined = name.toLowerCase().replace(/[\s_\-./]+/g, '');
  return joined.length > 3 ? joined.replace(/(?<!s)s$/, '') : joined;
};

/** Best match of a model's label: the same name, else nearly the same. */
function guessLabel<Own extends AnyLabel>(model: LambdaLabel, labels: readonly Own[]): Own | undefined {
  const fitting = labels.filter((label) => labelsFit(model.type, label.type));
  return (
    fitting.find(({ name }) => name === model.name) ?? fitting.find(({ name }) => plain(name) === plain(model.name))
  );
}

/** Keeps earlier choices that still fit and guesses the rest by name. */
export function completeChoice(
  model: readonly LambdaLabel[],
  labels: readonly Label[],
  chosen: LabelChoice = {},
): LabelChoice {
  return Object.fromEntries(
    model.map((one) => {
      const before = chosen[one.name];
      const stays = before === null || labels.some(({ id, type }) => id === before && labelsFit(one.type, type));
      return [one.name, before !== undefined && stays ? before : (guessLabel(one, labels)?.id ?? null)];
    }),
  );
}

/** A model fills in tags of the frame, or attributes of the objects on it. */
export const fillings = ['frame', 'objects'] as const;
export type Filling = (typeof fillings)[number];

/** True if the model fills in attributes of objects: chosen, or the task has labels of objects only. */
export const fillsObjects = (
  model: Pick<LambdaFunction, 'fills_attributes'>,
  { fill }: { readonly fill: Filling | null },
  labels: readonly Label[],
): boolean =>
  model.fills_attributes === true &&
  (fill === null ? filledLabels(labels).length === 0 && objectLabels(labels).length > 0 : fill === 'objects');

/**
 * A model that takes phrases has them as its labels, which return boxes. One that fills in attributes has labels of the
 * task.
 */
export function withOwnLabels<Model extends Pick<LambdaFunction, 'labels_v2' | 'takes_phrases' | 'fills_attributes'>>(
  model: Model,
  options: { readonly phrases: readonly string[]; readonly fill: Filling | null },
  labels: readonly Label[],
): Model {
  if (fillsObjects(model, options, labels)) {
    return {
      ...model,
      labels_v2: objectLabels(labels).map(({ name, type, attributes }) => ({ name, type, attributes })),
    };
  }
  if (model.fills_attributes === true) {
    return {
      ...model,
      labels_v2: filledLabels(labels).map(({ name, attributes }) => ({ name, type: 'tag', attributes })),
    };
  }
  if (model.takes_phrases !== true) return model;
  return { ...model, labels_v2: options.phrases.map((name) => ({ name, type: 'rectangle', attributes: [] })) };
}

/** Name of the label by phrase, for tasks that are not known yet. Without one, the label has the phrase's name. */
export type PhraseLabels = Readonly<Record<string, string>>;

const labelOfPhrase = (labels: PhraseLabels, phrase: string): string => labels[phrase]?.trim() || phrase;

export const phraseMapping = (phrases: readonly string[], labels: PhraseLabels): Record<string, object> =>
  Object.fromEntries(phrases.map((phrase) => [phrase, { name: labelOfPhrase(labels, phrase) }]));

const choices = ['select', 'radio'];
const attributesFit = (model: string, own: Attribute['input_type']): boolean =>
  model === own || own === 'text' || (choices.includes(model) && choices.includes(own));

const attributeMapping = (model: LambdaLabel['attributes'], own: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(
    model.flatMap((one) => {
      const found = own.find(({ name, input_type: type }) => name === one.name && attributesFit(one.input_type, type));
      return found === undefined ? [] : [[one.name, found.name]];
    }),
  );

/** Attributes of a model's label that the task's label has no place for. */
export const missingAttributes = (model: LambdaLabel, own: Label): LambdaLabel['attributes'] => {
  const mapped = attributeMapping(model.attributes, own.attributes);
  return model.attributes.filter(({ name }) => mapped[name] === undefined);
};

const partMapping = (parts: NonNullable<LambdaLabel['sublabels']>, own: Label['sublabels']): Record<string, object> =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const found = guessLabel(part, own);
      if (found === undefined) return [];
      return [[part.name, { name: found.name, attributes: attributeMapping(part.attributes, found.attributes) }]];
    }),
  );

/** The choice in the service's format; attributes and skeleton points are matched by name. */
export function mappingBody(
  model: readonly LambdaLabel[],
  labels: readonly Label[],
  choice: LabelChoice,
): Record<string, object> {
  return Object.fromEntries(
    model.flatMap((one) => {
      const label = labels.find(({ id }) => id === choice[one.name]);
      if (label === undefined) return [];
      const attributes = attributeMapping(one.attributes, label.attributes);
      const parts = one.type === 'skeleton' ? { sublabels: partMapping(one.sublabels ?? [], label.sublabels) } : {};
      return [[one.name, { name: label.name, attributes, ...parts }]];
    }),
  );
}

export const mappedCount = (choice: LabelChoice): number => Object.values(choice).filter((id) => id !== null).length;
