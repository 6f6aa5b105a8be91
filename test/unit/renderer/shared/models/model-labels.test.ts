import { describe, expect, it } from 'vitest';
import type { LambdaLabel } from '../../../../../preload/contract/schema/functions.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { completeChoice, mappedCount, mappingBody } from '../../../../../renderer/shared/models/model-labels.ts';

const model = (name: string, type = 'rectangle', more: Partial<LambdaLabel> = {}): LambdaLabel => ({
  name,
  type,
  attributes: [],
  ...more,
});
const own = (id: number, name: string, type: Label['type'] = 'any', more: object = {}): Label =>
  ({ id, name, type, attributes: [], sublabels: [], ...more }) as unknown as Label;
const attribute = (name: string, input_type: string): object => ({ id: 1, name, input_type, values: [] });

describe('labels of a model and of a task', () => {
  it('are matched by name: exactly, otherwise without case, separators and plural', () => {
    const labels = [own(1, 'cars'), own(2, 'Traffic Light'), own(3, 'car')];
    const choice = completeChoice([model('car'), model('traffic_light'), model('glass'), model('Cars')], labels);
    expect(choice).toEqual({ car: 3, traffic_light: 2, glass: null, Cars: 1 });
    expect(mappedCount(choice)).toBe(3);
  });

  it("are matched only if the task’s label accepts the model's type", () => {
    expect(completeChoice([model('car')], [own(1, 'car', 'polygon'), own(2, 'Car', 'rectangle')])).toEqual({ car: 2 });
  });

  it('keep the selection while the label exists, also a skipped one', () => {
    const labels = [own(1, 'car'), own(2, 'bus')];
    expect(completeChoice([model('car'), model('bus')], labels, { car: 2, bus: null })).toEqual({ car: 2, bus: null });
    expect(completeChoice([model('car')], [own(1, 'car')], { car: 9 })).toEqual({ car: 1 });
  });

  it('are sent to the service with the attributes of the same name and a fitting kind', () => {
    const given = model('car', 'rectangle', {
      attributes: [
        { name: 'colour', input_type: 'select', values: ['red'] },
        { name: 'age', input_type: 'number', values: [] },
      ],
    });
    const labels = [own(1, 'car', 'any', { attributes: [attribute('colour', 'radio'), attribute('age', 'checkbox')] })];
    expect(mappingBody([given, model('bus')], labels, { car: 1, bus: null })).toEqual({
      car: { name: 'car', attributes: { colour: 'colour' } },
    });
  });

  it('name the parts of a skeleton', () => {
    const body = model('person', 'skeleton', { sublabels: [{ name: 'Nose', type: 'points', attributes: [] }] });
    const labels = [own(1, 'person', 'skeleton', { sublabels: [own(2, 'nose', 'points')] })];
    expect(mappingBody([body], labels, { person: 1 })).toEqual({
      person: { name: 'person', attributes: {}, sublabels: { Nose: { name: 'nose', attributes: {} } } },
    });
  });
});
