import {
  attributeTakes,
  filledLabels,
  labelsFit,
  labelTakes,
  objectLabels,
} from '../../../preload/contract/label-fit.ts';
import type { Attribute, Label } from '../../../preload/contract/schema/labels.ts';
import type { ModelAttribute, ModelLabel } from '../configuration/model-labels.ts';
import { badRequest } from './lambda-errors.ts';

type AnyLabel = Label | Label['sublabels'][number];

export interface MappedLabel {
  readonly label: AnyLabel;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Skeletons only: by the model's sublabel name. */
  readonly sublabels: ReadonlyMap<string, MappedLabel>;
  /** Skeletons only: all sublabels of the task's label. */
  readonly parts: readonly AnyLabel[];
}

export type LabelMapping = ReadonlyMap<string, MappedLabel>;

/** Text accepts all types; select and radio accept each other. */
function areAttributesCompatible(model: ModelAttribute, task: Attribute): boolean {
  const choices = ['select', 'radio'];
  return (
    model.input_type === task.input_type ||
    task.input_type === 'text' ||
    (choices.includes(model.input_type) && choices.includes(task.input_type))
  );
}

const partsOf = (label: AnyLabel): readonly AnyLabel[] =>
  'sublabels' in label ? ((label.sublabels ?? []) as AnyLabel[]) : [];

/** Maps labels with equal names and compatible types. */
function defaultMapping(model: readonly ModelLabel[], task: readonly AnyLabel[]): LabelMapping {
  const mapping = new Map<string, MappedLabel>();
  for (const modelLabel of model) {
    const label = task.find(({ name, type }) => name === modelLabel.name && labelsFit(modelLabel.type, type));
    if (!label) continue;
    const attributes = new Map<string, Attribute>();
    for (const one of modelLabel.attributes) {
      const own = label.attributes.find(
        (attribute) => attribute.name === one.name && areAttributesCompatible(one, attribute),
      );
      if (own) attributes.set(one.name, own);
    }
    const parts = partsOf(label);
    mapping.set(modelLabel.name, {
      label,
      attributes,
      sublabels: defaultMapping(modelLabel.sublabels ?? [], parts),
      parts,
    });
  }
  return mapping;
}

/**
 * Reads a client's mapping `{ model label: { name, attributes?, sublabels? } }`; older clients send only names. Without
 * one, returns the default mapping.
 * @throws ForwardedError 400 that names the mismatch
 */
export function labelMapping(value: unknown, model: readonly ModelLabel[], task: readonly Label[]): LabelMapping {
  const isEmpty =
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  if (isEmpty) return defaultMapping(model, task);
  return readMapping(value, model, task);
}

interface OwnLabels {
  readonly labels: readonly ModelLabel[];
  readonly takesPhrases: boolean;
  readonly fillsAttributes: boolean;
}

/** A model fills in tags of the frame, or attributes of the objects on it. */
export type Filling = 'frame' | 'objects';

function labelsOfObjects(given: readonly string[], task: readonly Label[]): readonly ModelLabel[] {
  const own = objectLabels(task).filter(({ name }) => given.length === 0 || given.includes(name));
  if (own.length === 0) {
    throw badRequest('No label of objects has attributes to fill in. Add an attribute to a label of the task.');
  }
  return own.flatMap(({ name, type, attributes }) => (type === 'interval' ? [] : [{ name, type, attributes }]));
}

function labelsToFill(given: readonly string[], task: readonly Label[]): readonly ModelLabel[] {
  const own = given.length === 0 ? filledLabels(task) : task.filter(({ name }) => given.includes(name));
  const taking = own.filter(({ type }) => labelTakes(type, 'tag'));
  if (taking.length === 0) {
    throw badRequest('The model fills in tags, and no label takes tags. Add a label of the type "tag" to the task.');
  }
  return taking.map(({ name, attributes }) => ({ name, type: 'tag', attributes }));
}

const longestPhrase = 256;
const mostPhrases = 256;

/**
 * Labels of a model. One that takes phrases has those of the mapping, or the names of the task's labels without one;
 * one that fills in attributes has labels of the task.
 * @throws ForwardedError 400
 */
export function labelsForCall(
  { labels, takesPhrases, fillsAttributes }: OwnLabels,
  mapping: unknown,
  task: readonly Label[],
  filling: Filling = 'frame',
): readonly ModelLabel[] {
  const given = typeof mapping === 'object' && mapping !== null ? Object.keys(mapping) : [];
  if (filling === 'objects' && !fillsAttributes) {
    throw badRequest('The model cannot fill in attributes. Choose a vision model behind a chat endpoint.');
  }
  if (fillsAttributes) return (filling === 'objects' ? labelsOfObjects : labelsToFill)(given, task);
  if (!takesPhrases) return labels;
  const boxes = task.filter(({ type }) => labelsFit('rectangle', type)).map(({ name }) => name);
  const phrases = given.length > 0 ? given : boxes;
  if (phrases.length === 0) throw badRequest('There is no phrase to look for. Enter at least one.');
  if (phrases.length > mostPhrases || phrases.some((phrase) => phrase.trim() === '' || phrase.length > longestPhrase)) {
    throw badRequest(`A model takes up to ${mostPhrases} phrases of 1 to ${longestPhrase} characters`);
  }
  return phrases.map((name) => ({ name, type: 'rectangle', attributes: [] }));
}

function readMapping(value: unknown, model: readonly ModelLabel[], task: readonly AnyLabel[]): LabelMapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('Invalid mapping. An object of model labels is expected');
  }
  const mapping = new Map<string, MappedLabel>();
  for (const [modelName, entry] of Object.entries(value)) {
    const modelLabel = model.find(({ name }) => name === modelName);
    if (!modelLabel) throw badRequest(`Invalid mapping. Unknown model label "${modelName}"`);
    mapping.set(modelName, readEntry(modelLabel, entry, task));
  }
  return mapping;
}

function readEntry(modelLabel: ModelLabel, entry: unknown, task: readonly AnyLabel[]): MappedLabel {
  const field = (key: string): unknown => Reflect.get(Object(entry), key);
  const name = typeof entry === 'string' ? entry : String(field('name') ?? '');
  const label = task.find((one) => one.name === name);
  if (!label) throw badRequest(`Invalid mapping. Unknown db label "${name}"`);
  if (!labelsFit(modelLabel.type, label.type)) {
    throw badRequest(`Invalid mapping. Model label "${modelLabel.name}" and task label "${name}" are not compatible`);
  }
  const isSkeleton = modelLabel.type === 'skeleton';
  const sublabels = field('sublabels');
  if (isSkeleton && (sublabels === undefined || sublabels === null)) {
    throw badRequest(`Mapping for elements was not specified in skeleton "${modelLabel.name}"`);
  }
  const parts = partsOf(label);
  return {
    label,
    attributes: readAttributes(modelLabel, label, field('attributes')),
    sublabels: isSkeleton ? readMapping(sublabels, modelLabel.sublabels ?? [], parts) : new Map(),
    parts,
  };
}

function readAttributes(modelLabel: ModelLabel, label: AnyLabel, value: unknown): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  for (const [modelName, taskName] of Object.entries(Object(value) as Record<string, unknown>)) {
    const modelAttribute = modelLabel.attributes.find(({ name }) => name === modelName);
    if (!modelAttribute) throw badRequest(`Invalid mapping. Unknown model attribute "${modelName}"`);
    const own = label.attributes.find(({ name }) => name === taskName);
    if (!own) throw badRequest(`Invalid mapping. Unknown db attribute "${String(taskName)}"`);
    if (!areAttributesCompatible(modelAttribute, own)) {
      throw badRequest(
        `Invalid mapping. Model attribute "${modelName}" and task attribute "${own.name}" are not compatible`,
      );
    }
    attributes.set(modelName, own);
  }
  return attributes;
}

/** True if a model's value is valid for the attribute; others are dropped. Model numbers are integers. */
export const fitsAttribute = (attribute: Attribute, value: string): boolean =>
  attributeTakes(attribute, value) && (attribute.input_type !== 'number' || /^-?\d+$/.test(value.trim()));
