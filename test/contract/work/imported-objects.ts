import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { Work } from './work-harness.ts';

type Shape = LabeledData['shapes'][number];

function placeOf({ type, points, elements }: Shape): string {
  if (type === 'skeleton')
    return elements.map((one) => (one.outside ? 'out' : `${one.points}${one.occluded ? ' hidden' : ''}`)).join(' | ');
  if (type !== 'mask') return points.map((value) => Number(value.toFixed(2))).join();
  const set = points.slice(0, -4).filter((_, index) => index % 2 === 1);
  return `of ${set.reduce((sum, count) => sum + count, 0)} px in ${points.slice(-4).join()}`;
}

/** Describes an object in one line, with the attributes whose values are not the default. */
function createTeller(labels: readonly Label[]) {
  const labelOf = new Map(labels.map((label) => [label.id, label]));
  return ({ shapes, tracks, tags }: LabeledData, frame: number): string[] => [
    ...tags.filter((tag) => tag.frame === frame).map(({ label_id }) => `${labelOf.get(label_id)?.name} tag`),
    ...shapes
      .filter((shape) => shape.frame === frame)
      .map((shape) => {
        const { name, attributes = [] } = labelOf.get(shape.label_id) ?? {};
        const values = shape.attributes.flatMap(({ spec_id, value }) => {
          const own = attributes.find(({ id }) => id === spec_id);
          return !own || (value === own.default_value && own.name !== 'is_crowd')
            ? []
            : [`${own.name}=${JSON.stringify(value)}`];
        });
        const turned = shape.rotation ? [`turned ${Math.round(shape.rotation)}`] : [];
        return [name, shape.type, placeOf(shape), ...turned, ...values.toSorted()].join(' ');
      }),
    ...tracks
      .filter((track) => track.frame === frame)
      .map(({ label_id, shapes: keyframes }) => {
        const places = keyframes.map((one) => `${one.frame}${one.outside ? ' out' : ''}`);
        return `${labelOf.get(label_id)?.name} track ${places.join(', ')}`;
      }),
  ];
}

export interface Imported {
  readonly tasks: readonly Task[];
  readonly labels: readonly Label[];
}

/** Objects by image as lines: all images of a project, or the images of a task that have objects. */
export async function objectsOf(
  work: Work,
  { tasks, labels }: Imported,
  isProject: boolean,
): Promise<Record<string, string[]>> {
  const tell = createTeller(labels);
  const objects: Record<string, string[]> = {};
  for (const { id, subset } of tasks) {
    const data = await work.owner.annotations('tasks', id);
    const { frames } = await work.owner.meta('tasks', id);
    for (const [frame, { name }] of (frames ?? []).entries()) {
      const own = tell(data, frame);
      if (isProject || own.length > 0) objects[isProject ? `${subset}/${name}` : name] = own;
    }
  }
  return objects;
}
