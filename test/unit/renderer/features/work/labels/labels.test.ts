import { beforeAll, describe, expect, it } from 'vitest';
import { labelWriteSchema, type InputType } from '../../../../../../preload/contract/schema/labels.ts';
import { startTranslation, text } from '../../../../../../renderer/i18n/index.ts';
import {
  draftOfLabel,
  labelDraft,
  labelChanges,
  newAttributeDraft,
  newLabelDraft,
  withInputType,
  writeOfLabel,
  type LabelDraft,
  labelProblems,
  draftsOfRaw,
  rawOfDrafts,
} from '../../../../../../renderer/features/work/labels/label-draft.ts';
import { makeLabel } from '../../../../../support/labels.ts';

beforeAll(startTranslation);

describe('label editor', () => {
  it('updates labels with an id, creates those without, deletes missing ones', () => {
    const before = [makeLabel(1, 'car'), makeLabel(2, 'person')];
    const [car] = before.map(draftOfLabel);
    if (car === undefined) throw new Error('A label is expected.');
    const drafts = [{ ...car, name: 'vehicle' }, newLabelDraft('sign', [])];
    expect(labelChanges(before, drafts)).toMatchObject([
      { id: 2, deleted: true },
      { id: 1, name: 'vehicle', color: '#112233' },
      { name: 'sign', type: 'any' },
    ]);
  });

  it('writes only valid data for the service, for every kind of attribute', () => {
    const kinds = ['checkbox', 'radio', 'number', 'text', 'select'] as const;
    const attributes = kinds.map((kind) => ({ ...withInputType(newAttributeDraft(), kind), name: kind }));
    const listed = attributes.map((item) =>
      item.inputType === 'radio' || item.inputType === 'select' ? { ...item, values: ['x'] } : item,
    );
    const draft = { ...newLabelDraft('car', []), attributes: listed };
    expect(labelProblems([draft], text)).toEqual([]);
    expect(labelWriteSchema.parse(writeOfLabel(draft)).attributes).toHaveLength(5);
  });

  it('gives each new label its own colour', () => {
    const first = newLabelDraft('a', []);
    const second = newLabelDraft('b', [first]);
    expect(second.color).not.toBe(first.color);
  });

  it('lists every problem that prevents saving', () => {
    const number = { ...withInputType(newAttributeDraft(), 'number'), name: 'doors', values: ['5', '1', '1'] };
    const select = { ...withInputType(newAttributeDraft(), 'select'), name: 'model' };
    const wrongDefault = { ...select, name: 'kind', values: ['a'], defaultValue: 'b' };
    const problems = labelProblems(
      [
        { ...newLabelDraft('car', []), attributes: [number, select, wrongDefault, newAttributeDraft()] },
        newLabelDraft('car', []),
        newLabelDraft(' ', []),
      ],
      text,
    );
    expect(problems).toHaveLength(6);
    expect(problems.join('\n')).toContain('Two labels are named “car”.');
    expect(problems.join('\n')).toContain('“car” · “doors”: minimum, maximum and step must be numbers');
  });

  it("lists every problem of a skeleton's points that prevents saving", () => {
    const skeleton = (parts: LabelDraft['skeleton']) => labelDraft({ name: 'body', type: 'skeleton', ...parts });
    const problems = (parts: LabelDraft['skeleton']) => labelProblems([skeleton(parts)], text);
    const flags = ['radio', 'text', 'text'].map((kind) => ({
      name: kind,
      mutable: false,
      default_value: '',
      values: [],
      input_type: kind as InputType,
    }));
    expect(problems({})).toEqual(['“body”: a skeleton needs points. Open its template and add some.']);
    expect(problems({ sublabels: [{ name: ' ' }, { name: 'a' }, { name: 'a' }, { name: 'b'.repeat(65) }] })).toEqual([
      '“body”: point 1 has no name.',
      '“body”: the name of point 4 has more than 64 characters.',
      '“body”: two points are named “a”.',
    ]);
    expect(problems({ sublabels: [{ name: 'head', attributes: flags }] })).toEqual([
      '“body · head” · “radio”: add at least one value.',
      '“body · head”: two attributes are named “text”.',
    ]);
    expect(problems({ svg: ' '.repeat(200_001), sublabels: [{ name: 'head' }] })).toEqual([
      '“body” has too many points and lines to save. Delete some.',
    ]);
    expect(labelProblems([{ ...skeleton({}), id: 4 }], text)).toEqual([]);
  });

  it('keeps a skeleton in both tabs', () => {
    const raw = JSON.stringify([
      {
        id: 4,
        name: 'body',
        type: 'skeleton',
        svg: '<circle r="1"/>',
        sublabels: [{ id: 5, name: 'head', type: 'points' }],
      },
    ]);
    const result = draftsOfRaw(raw);
    expect(result.ok && JSON.parse(rawOfDrafts(result.drafts))).toMatchObject(JSON.parse(raw));
  });

  it('reports the position of errors in the raw text', () => {
    expect(draftsOfRaw('[{"name": 5}]')).toMatchObject({ ok: false, problems: [expect.stringContaining('[0].name')] });
    expect(draftsOfRaw('[{')).toMatchObject({ ok: false, syntax: expect.stringContaining('JSON') });
    expect(draftsOfRaw('{}').ok).toBe(false);
  });
});
