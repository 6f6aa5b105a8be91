import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { createService } from './support/service.ts';
import { photograph } from './support/photograph.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
beforeAll(async () => {
  workbench = await openWorkbench();
});
afterAll(() => workbench?.close());

interface Shape {
  readonly frame: number;
  readonly label_id: number;
  readonly type: 'rectangle';
  readonly points: readonly number[];
  readonly score?: number;
}

describe('how good a model is', () => {
  it('is measured from the page of a task, worked through frame by frame, and mended on the spot', async () => {
    const { page } = workbench;
    const service = createService(workbench);
    const id = await service.makeTask('quay', { images: 6, labels: [{ name: 'boat' }, { name: 'buoy' }] });
    const { results: labels } = await service.ask<{ results: { id: number }[] }>('GET', `/api/labels?task_id=${id}`);
    const [boat = 0, buoy = 0] = labels.map((label) => label.id);
    const box = (frame: number, label_id: number, points: readonly number[], score?: number): Shape => ({
      frame,
      label_id,
      type: 'rectangle',
      points,
      ...(score === undefined ? {} : { score }),
    });
    const truth = Array.from({ length: 6 }, (_, frame) => [
      box(frame, boat, [20 + frame, 20, 80 + frame, 70]),
      box(frame, buoy, [100, 60, 120, 80]),
    ]).flat();
    await service.ask('PUT', `/api/tasks/${id}/annotations/`, { shapes: truth.slice(1) });
    for (const [name, shift] of [
      ['detector v1', 12],
      ['detector v2', 3],
    ] as const) {
      const set = await service.ask<{ id: number }>('POST', `/api/limner/tasks/${id}/predictions`, { name });
      const shapes = truth.flatMap(({ points, ...shape }, index) =>
        index % 5 === 4 && shift > 5
          ? [{ ...shape, label_id: boat, points, score: 0.35 }]
          : [
              {
                ...shape,
                points: points.map((value) => value + (index % 3) * (shift / 2)),
                score: 0.4 + (index % 6) / 10,
              },
            ],
      );
      await service.ask('POST', `/api/limner/predictions/${set.id}/objects`, { shapes });
      await service.ask('PATCH', `/api/limner/predictions/${set.id}`, { state: 'ready' });
    }

    await page.goto(`/tasks/${id}?tab=evaluation`);
    await page.getByText('12 objects').first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Quay, November');
    await page.getByRole('button', { name: 'Measure' }).click();

    await page.getByRole('heading', { name: 'Quay, November' }).waitFor();
    await page.getByText('6 frames, 11 truths, 24 predictions').waitFor();
    await page.getByRole('img', { name: 'Precision by recall' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(workbench.page, 'evaluation-report');

    // A number opens the frames behind it: without a truth, the first frame's boat is too many.
    await page
      .getByRole('button', { name: /× Nothing as boat/ })
      .first()
      .click();
    await page.getByRole('heading', { name: /Frames: extra → boat/ }).waitFor();
    await page.getByRole('link', { name: /^Frame 0:/ }).click();
    await page.getByRole('heading', { name: 'Frame 0' }).waitFor();
    const extra = page.getByRole('button', { name: /boat.*0\.\d\d/ }).filter({ hasText: '+' });
    await extra.first().click();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(workbench.page, 'evaluation-frame');
    await page.getByRole('button', { name: 'Accept as a new object' }).click();
    await page.getByText(/^Accepted\./).waitFor();
    await extra.first().waitFor({ state: 'detached' });
    const { shapes } = await service.ask<{ shapes: Shape[] }>('GET', `/api/tasks/${id}/annotations/?frame=0`);
    expect(shapes.map(({ label_id: label }) => label).sort()).toEqual([boat, buoy].sort());

    // The report says that its truth is another one now, and saves what it shows.
    await page.getByRole('link', { name: 'Quay, November' }).click();
    await page.getByText(/^The truth has changed since/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Report as HTML' }).click();
    expect((await download).suggestedFilename()).toBe('Quay-November.html');
    expect(workbench.pageErrors).toEqual([]);
  });

  it('is measured by tags and by tracks, too, and each number leads to its frames', async () => {
    const { page } = workbench;
    const service = createService(workbench);
    const id = await service.makeTask('harbour', { images: 4, labels: [{ name: 'boat' }, { name: 'buoy' }] });
    const { results: labels } = await service.ask<{ results: { id: number }[] }>('GET', `/api/labels?task_id=${id}`);
    const [boat = 0, buoy = 0] = labels.map((label) => label.id);
    const tags = (...chosen: readonly number[]) => chosen.map((label_id, frame) => ({ frame, label_id }));
    const track = (frame: number, left: number) => ({
      frame,
      label_id: boat,
      shapes: [
        { frame, type: 'rectangle', points: [left, 20, left + 40, 60] },
        ...(frame === 0 && left === 10
          ? [{ frame: 2, type: 'rectangle', points: [left, 20, left + 40, 60], outside: true }]
          : []),
      ],
    });
    await service.ask('PUT', `/api/tasks/${id}/annotations/`, {
      tags: tags(boat, boat, buoy, buoy),
      tracks: [{ ...track(0, 10), shapes: [track(0, 10).shapes[0]] }, track(0, 80)],
    });
    const set = await service.ask<{ id: number }>('POST', `/api/limner/tasks/${id}/predictions`, { name: 'tracker' });
    await service.ask('POST', `/api/limner/predictions/${set.id}/objects`, {
      tags: tags(boat, buoy, buoy, buoy),
      tracks: [track(0, 10), track(2, 10), track(0, 80)],
    });
    await service.ask('PATCH', `/api/limner/predictions/${set.id}`, { state: 'ready' });
    const measured = async (kind: string): Promise<number> => {
      const body = { name: `By ${kind}`, task_id: id, kind, predictions: [set.id] };
      const made = await service.ask<{ id: number; rq_id: string }>('POST', '/api/limner/evaluations', body);
      await service.waitForRequest(made.rq_id);
      return made.id;
    };
    await page.goto(`/evaluations/${await measured('tags')}`);
    await page.getByRole('button', { name: '1 × boat as buoy' }).click();
    await page.getByRole('heading', { name: 'Frames: boat → buoy' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(page, 'evaluation-tags');
    await page.getByRole('link', { name: /^Frame 1:/ }).click();
    await page.getByRole('heading', { name: 'Frame 1' }).waitFor();
    await page.getByRole('complementary').getByRole('button', { name: /buoy/ }).click();
    await photograph(page, 'evaluation-tags-frame');
    await page.getByRole('button', { name: 'Accept as a new object' }).waitFor();

    await page.goto(`/evaluations/${await measured('tracks')}`);
    await page.getByTitle('Frames with changes of identity').click();
    await page.getByRole('link', { name: /^Frame 2:/ }).waitFor();
    expect(await page.getByRole('link', { name: /^Frame \d/ }).count()).toBe(1);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(page, 'evaluation-tracks');
    expect(workbench.pageErrors).toEqual([]);
  });
});
