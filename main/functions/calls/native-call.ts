import type { Attribute } from '../../../preload/contract/schema/labels.ts';
import type { AgentQuestion } from '../native/agent-queues.ts';
import type { ModelLabel } from '../configuration/model-labels.ts';
import type { LabelMapping, MappedLabel } from './label-mapping.ts';
import type { Region } from './region.ts';

export const regionFields = (region: Region | null): { readonly roi?: number[] } =>
  region === null ? {} : { roi: [region.left, region.top, region.left + region.width, region.top + region.height] };

/** Question for a detector agent, which maps its labels to those of the task. */
export function frameQuestion(about: {
  readonly category: AgentQuestion['category'];
  readonly task: number;
  readonly frame: number;
  readonly region: Region | null;
  readonly threshold: number | null;
  readonly masksToPolygons: boolean;
  readonly labels: readonly ModelLabel[];
  readonly mapping: LabelMapping;
  /** True for a mapping by the user. Otherwise attributes that the agent would reject are omitted. */
  readonly isChosen: boolean;
}): AgentQuestion {
  const { category, task, frame, region, threshold, masksToPolygons, labels, mapping, isChosen } = about;
  return {
    category,
    agentId: null,
    parameters: {
      type: 'annotate_frame',
      task,
      frame,
      threshold,
      conv_mask_to_poly: masksToPolygons,
      mapping: mappingEntries(labels, mapping, isChosen),
      ...regionFields(region),
    },
  };
}

function mappingEntries(labels: readonly ModelLabel[], mapping: LabelMapping, isChosen: boolean) {
  return Object.fromEntries(
    [...mapping].map(([name, { label, attributes, sublabels }]) => {
      const own = labels.find((one) => one.name === name);
      const taken = [...attributes].filter(
        ([from, to]) => isChosen || own?.attributes.some((one) => one.name === from && isSame(one, to)) === true,
      );
      const parts = own?.sublabels ?? [];
      const more: Record<string, unknown> =
        sublabels.size === 0 ? {} : { sublabels: mappingEntries(parts, sublabels, isChosen) };
      return [
        name,
        { name: label.name, attributes: Object.fromEntries(taken.map(([from, to]) => [from, to.name])), ...more },
      ];
    }),
  );
}

/** Agents require identical attributes. */
const isSame = (model: Pick<Attribute, 'input_type' | 'values'>, task: Attribute): boolean =>
  model.input_type === task.input_type &&
  (task.input_type === 'text' ||
    task.input_type === 'checkbox' ||
    JSON.stringify(model.values) === JSON.stringify(task.values));

/** Maps by the task's own names, which agents use in their answers. */
export const ownNames = (mapping: LabelMapping): LabelMapping =>
  new Map(
    [...mapping.values()].map((mapped): [string, MappedLabel] => [
      mapped.label.name,
      {
        ...mapped,
        attributes: new Map(mapped.label.attributes.map((attribute) => [attribute.name, attribute])),
        sublabels: ownNames(mapped.sublabels),
      },
    ]),
  );

type Item = Readonly<Record<string, unknown>>;
const itemsOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? (value as unknown[]).map(Object) : []);

/** Converts an agent's answer to the format of other detectors, with names instead of ids. */
export function nativeDetections(answer: unknown, mapping: LabelMapping): unknown[] {
  const annotations: unknown = Reflect.get(Object(answer), 'annotations');
  const byId = new Map([...mapping.values()].map((mapped) => [mapped.label.id, mapped]));
  return [
    ...itemsOf(Reflect.get(Object(annotations), 'tags')).map((tag) => ({ ...named(tag, byId), type: 'tag' })),
    ...itemsOf(Reflect.get(Object(annotations), 'shapes')).map((shape) => named(shape, byId)),
  ];
}

function named(shape: Item, byId: ReadonlyMap<number, MappedLabel>): Item {
  const mapped = byId.get(Number(shape['label_id']));
  const attributes = itemsOf(shape['attributes']).map((one) => ({
    name: mapped?.label.attributes.find(({ id }) => id === one['spec_id'])?.name,
    value: one['value'],
  }));
  const parts = new Map([...(mapped?.sublabels.values() ?? [])].map((part) => [part.label.id, part]));
  const isMask = shape['type'] === 'mask';
  return {
    label: mapped?.label.name,
    type: shape['type'],
    ...(isMask ? { runs: shape['points'] } : { points: shape['points'] }),
    attributes,
    rotation: shape['rotation'],
    occluded: shape['occluded'],
    outside: shape['outside'],
    z_order: shape['z_order'],
    group_id: shape['group'],
    confidence: shape['score'],
    elements: itemsOf(shape['elements']).map((element) => named(element, parts)),
  };
}

/** Attribute id with which an interactor reports its confidence. */
const confidenceAttribute = 0;

/** Converts an agent's interaction to the format of other interactors. */
export function nativeInteraction(answer: unknown): { readonly shapes: readonly object[] } {
  const shapes = itemsOf(Reflect.get(Object(answer), 'shapes')).map(({ type, points, attributes }) => {
    const confidence = itemsOf(attributes).find((one) => one['spec_id'] === confidenceAttribute)?.['value'];
    return { type, points, confidence: confidence === undefined ? undefined : String(confidence) };
  });
  return { shapes };
}
