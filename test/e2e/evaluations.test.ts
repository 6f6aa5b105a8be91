import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();

describe('how good a model is', () => {
  it('is measured from the page of a task, reviewed frame by frame, and corrected in place', async () => {
    const id = await service.makeTask('quay', { images: 6, labels: [{ name: 'boat' }, { name: 'buoy' }] });
    const [boat = 0, buoy = 0] = (await service.labels(id)).map((label) => label.id);
    const box = (frame: number, label_id: number, points: readonly number[], score?: number) => ({
      frame,
      label_id,
      type: 'rectangle' as const,
      points: [...points],
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
      await service.makePredictions(id, name, { shapes });
    }

    await page.goto(`/tasks/${id}?tab=evaluation`);
    await page.getByText('12 objects').first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Quay, November');
    await page.getByRole('dialog').getByRole('button', { name: 'Evaluate' }).click();

    await page.getByRole('heading', { name: 'Quay, November' }).waitFor();
    await page.getByText('6 frames, 11 ground truths, 24 predictions').waitFor();
    await page.getByRole('application', { name: 'Precision by recall' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    // A number opens its frames: without a ground truth, the boat on the first frame is a false positive.
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
    await page.getByRole('button', { name: 'Accept as new object' }).click();
    await page.getByText(/^Accepted\./).waitFor();
    await extra.first().waitFor({ state: 'detached' });
    const { shapes } = await service.annotations('tasks', id, 0);
    expect(shapes.map(({ label_id: label }) => label).sort()).toEqual([boat, buoy].sort());

    // The report says that its ground truth has changed, and saves the shown numbers.
    await page.getByRole('link', { name: 'Quay, November' }).click();
    await page.getByText(/^The ground truth has changed/).waitFor();
    const download = await downloadBy(page.getByRole('button', { name: 'HTML report' }));
    expect(download.suggestedFilename()).toBe('Quay-November.html');
  });

  it('is measured by tags and by tracks, too, and each number leads to its frames', async () => {
    const id = await service.makeTask('harbour', { images: 4, labels: [{ name: 'boat' }, { name: 'buoy' }] });
    const [boat = 0, buoy = 0] = (await service.labels(id)).map((label) => label.id);
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
    const set = await service.makePredictions(id, 'tracker', {
      tags: tags(boat, buoy, buoy, buoy),
      tracks: [track(0, 10), track(2, 10), track(0, 80)],
    });
    const measured = async (kind: string): Promise<number> => {
      const body = { name: `By ${kind}`, task_id: id, kind, predictions: [set] };
      const made = await service.ask<{ id: number; rq_id: string }>('POST', '/api/limner/evaluations', body);
      await service.finished(made.rq_id);
      return made.id;
    };
    await page.goto(`/evaluations/${await measured('tags')}`);
    await page.getByRole('button', { name: '1 × boat as buoy' }).click();
    await page.getByRole('heading', { name: 'Frames: boat → buoy' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: /^Frame 1:/ }).click();
    await page.getByRole('heading', { name: 'Frame 1' }).waitFor();
    await page.getByRole('complementary').getByRole('button', { name: /buoy/ }).click();
    await page.getByRole('button', { name: 'Accept as new object' }).waitFor();

    await page.goto(`/evaluations/${await measured('tracks')}`);
    await page.getByTitle('Frames with identity switches').click();
    const frames = page.getByRole('link', { name: /^Frame \d/ });
    await expect
      .poll(() => frames.evaluateAll((all) => all.map((frame) => frame.textContent)))
      .toEqual([expect.stringMatching(/^Frame 2/)]);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('is measured over the tasks of a project, and so are its annotators', async () => {
    const project = await service.createProject('harbour', [{ name: 'boat' }, { name: 'buoy' }]);
    const { results: labels } = await service.ask<{ results: { id: number }[] }>(
      'GET',
      `/api/labels?project_id=${project.id}`,
    );
    const boat = labels[0]?.id ?? 0;
    const box = (frame: number, left: number) => ({
      frame,
      label_id: boat,
      type: 'rectangle' as const,
      points: [left, 20, left + 60, 70],
    });
    for (const [at, name] of ['north quay', 'south quay', 'not looked at'].entries()) {
      const id = await service.makeTask(name, { images: 3, project_id: project.id });
      if (at === 2) continue;
      const truth = [0, 1, 2].map((frame) => box(frame, 20 + frame));
      await service.ask('PUT', `/api/tasks/${id}/annotations/`, { shapes: truth.slice(at) });
      for (const [model, shift] of [
        ['detector v1', 12],
        ['detector v2', 2],
      ] as const) {
        const shapes = [0, 1, 2].map((frame) => ({ ...box(frame, 20 + shift * frame), score: 0.9 - frame / 10 }));
        await service.makePredictions(id, model, { shapes });
      }
      const job = await service.ask<{ id: number }>('POST', '/api/jobs', {
        type: 'ground_truth',
        task_id: id,
        frame_selection_method: 'manual',
        frames: [0, 1, 2],
      });
      await service.ask('PUT', `/api/jobs/${job.id}/annotations`, { shapes: truth });
      await service.ask('PATCH', `/api/jobs/${job.id}`, { stage: 'acceptance', state: 'completed' });
    }

    await page.goto(`/projects/${project.id}?tab=evaluation`);
    await page.getByRole('row', { name: /detector v2 2 of 3/ }).waitFor();
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('checkbox', { name: 'detector v1' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('heading', { name: 'By task' }).waitFor();
    await expect
      .poll(() => page.getByText('Skipped because some models have no predictions for it: not looked at').count())
      .toBe(1);
    expect(await breachesInBothThemes(page)).toEqual([]);
    // A number of a task opens its frames, which belong to that task.
    await page
      .getByRole('row', { name: /south quay/ })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('heading', { name: /Frames: south quay/ }).waitFor();
    await page.getByRole('link', { name: /^Frame 0: 0 missed, 1 extra/ }).click();
    await page.getByRole('heading', { name: 'extra 1' }).waitFor();

    await page.goto(`/projects/${project.id}?tab=quality`);
    await page.getByText('No reports yet').waitFor();
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByText('2 of 3 tasks are compared. 1 has no completed ground truth.').waitFor();
    await page.getByRole('link', { name: 'south quay' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'south quay' }).click();
    await page.getByRole('heading', { name: 'south quay' }).waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Settings' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Use the project settings' }).isChecked()).toBe(true);
  });
});
