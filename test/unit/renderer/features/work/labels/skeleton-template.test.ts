import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSkeletonSvg } from '../../../../../../preload/geometry/skeleton-svg-reader.ts';
import {
  pointCount,
  templateOfPreset,
  templatePresets,
} from '../../../../../../renderer/features/work/labels/skeleton/skeleton-presets.ts';
import {
  dragStage,
  pressStage,
  releaseStage,
  templateTools,
  type TemplateTool,
  pressKey,
  type StageState,
} from '../../../../../../renderer/features/work/labels/skeleton/template-stage.tsx';
import {
  beginHistory,
  stepHistory,
} from '../../../../../../renderer/features/work/labels/skeleton/use-template-editor.ts';
import {
  skeletonOf,
  fileOf,
  templateOf,
  templateOfFile,
  type Place,
  type Template,
} from '../../../../../../renderer/features/work/labels/skeleton/template.ts';

const empty: Template = { points: [], edges: [] };

function drag(template: Template, tool: TemplateTool, from: Place, to: Place = from, isFixed = false): Template {
  const pressed = pressStage(template, tool, from, isFixed);
  if (!('kind' in pressed)) return pressed.template;
  return releaseStage(template, dragStage(template, pressed, to), isFixed).template;
}
const plain = ({ points, edges }: Template) => ({
  points: points.map(({ name, x, y }) => [name, x, y]),
  edges: edges.map((edge) => edge.map((key) => points.find((point) => point.key === key)?.name)),
});
const keys = (state: StageState, pressed: readonly string[], isFixed = false): StageState =>
  pressed.reduce((now, key) => pressKey(now, { key, shiftKey: false, altKey: false }, isFixed) ?? now, state);

describe('the template of a skeleton', () => {
  it('is drawn by clicks for points and by drags for lines; a line to an empty place creates its point', () => {
    let template = drag(empty, 'draw', { x: 20, y: 20 });
    template = drag(template, 'draw', { x: 60, y: 20 });
    template = drag(template, 'draw', { x: 20, y: 20 }, { x: 60.5, y: 20.5 });
    template = drag(template, 'draw', { x: 60, y: 20 }, { x: 60, y: 80 });
    expect(plain(template)).toEqual({
      points: [
        ['1', 20, 20],
        ['2', 60, 20],
        ['3', 60, 80],
      ],
      edges: [
        ['1', '2'],
        ['2', '3'],
      ],
    });
    expect(plain(drag(template, 'draw', { x: 60, y: 20 }, { x: 20, y: 20 })).edges).toEqual([['2', '3']]);
    expect(plain(drag(template, 'move', { x: 60, y: 80 }, { x: 90, y: 140 })).points[2]).toEqual(['3', 90, 100]);
    expect(plain(drag(template, 'delete', { x: 60, y: 20 }))).toEqual({
      points: [
        ['1', 20, 20],
        ['3', 60, 80],
      ],
      edges: [],
    });
  });

  it('is created by keys alone', () => {
    const state = keys(
      { template: empty, chosen: null, joining: null },
      'Enter Enter Enter j PageUp j ArrowDown PageUp ArrowLeft'.split(' '),
    );
    expect(plain(state.template)).toEqual({
      points: [
        ['1', 49, 50],
        ['2', 58, 51],
        ['3', 66, 50],
      ],
      edges: [['3', '2']],
    });
    expect(plain(keys(state, ['PageDown', 'Delete']).template)).toEqual({
      points: [
        ['1', 49, 50],
        ['3', 66, 50],
      ],
      edges: [],
    });
  });

  it('of a saved label keeps its points: they are moved and connected, none is added or deleted', () => {
    const template = templateOfPreset('person');
    const [nose] = template.points;
    const at = { x: nose?.x ?? 0, y: nose?.y ?? 0 };
    for (const tool of templateTools) {
      expect(drag(template, tool, { x: 5, y: 5 }, { x: 8, y: 8 }, true).points).toHaveLength(17);
      expect(drag(template, tool, at, { x: 5, y: 5 }, true).points).toHaveLength(17);
    }
    const state = keys({ template, chosen: nose?.key ?? null, joining: null }, ['Enter', 'Delete', 'Backspace'], true);
    expect(state.template).toBe(template);
  });

  it('starts from well-known figures', () => {
    expect(templatePresets.map(pointCount)).toEqual([17, 21, 68, 0]);
    for (const preset of templatePresets) {
      const { points, edges } = templateOfPreset(preset);
      expect(new Set(points.map(({ name }) => name)).size).toBe(points.length);
      expect(points.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= 100)).toBe(true);
      expect(new Set(edges.map((edge) => edge.toSorted().join(' '))).size).toBe(edges.length);
    }
  });

  it('is preserved by its label and by its file', () => {
    const place = fc.record({ x: fc.integer({ min: 0, max: 100 }), y: fc.integer({ min: 0, max: 100 }) });
    const steps = fc.array(fc.tuple(fc.constantFrom(...templateTools), place, place), { maxLength: 25 });
    fc.assert(
      fc.property(steps, (all) => {
        const made = all.reduce((template, [tool, from, to]) => drag(template, tool, from, to), empty);
        expect(plain(templateOf(skeletonOf(made)))).toEqual(plain(made));
        const reading = readSkeletonSvg(fileOf(made));
        if (made.points.length === 0) expect(reading.ok).toBe(false);
        else expect(reading.ok && plain(templateOfFile(reading.skeleton))).toEqual(plain(made));
      }),
      { numRuns: 60 },
    );
  });

  it('has undo and redo step by step; letters of one name are one step', () => {
    const add = (x: number) => (template: Template) => drag(template, 'draw', { x, y: 50 });
    const rename = (name: string) => (template: Template) => ({
      ...template,
      points: template.points.map((point) => ({ ...point, name })),
    });
    let history = beginHistory(empty);
    history = stepHistory(history, { what: 'do', edit: add(20) });
    for (const name of ['n', 'no', 'nose'])
      history = stepHistory(history, { what: 'do', edit: rename(name), kind: 'name' });
    history = stepHistory(history, { what: 'do', edit: (template) => template });
    history = stepHistory(history, { what: 'undo' });
    expect(plain(history.now.template).points).toEqual([['1', 20, 50]]);
    history = stepHistory(history, { what: 'redo' });
    expect(plain(history.now.template).points).toEqual([['nose', 20, 50]]);
    history = stepHistory(stepHistory(history, { what: 'undo' }), { what: 'undo' });
    expect(history.now.template).toBe(empty);
    expect(stepHistory(history, { what: 'undo' })).toEqual(history);
  });
});
