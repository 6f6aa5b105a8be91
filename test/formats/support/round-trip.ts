import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createInMemoryTaskData } from '../../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredExporter, RegisteredImporter } from '../../../main/formats/kit/plugin.ts';
import { runExport, runImport } from './format-fixtures.ts';
import { asRead, inOrder, scene, sceneShapes, type SceneSettings } from './scenes.ts';

export interface RoundTripFormat {
  readonly exporter: RegisteredExporter;
  readonly importer: RegisteredImporter;
}

const options = { conv_mask_to_poly: false };

/** Random shapes come back as they went, and neither way loses anything. */
export async function expectGivenBack(
  { exporter, importer }: RoundTripFormat,
  settings: SceneSettings,
  numRuns = 25,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(sceneShapes(settings), async (shapes) => {
      const { path, summary } = await runExport(exporter, createInMemoryTaskData({ ...scene, shapes }));
      expect(summary.losses).toEqual([]);
      const { task, summary: reading } = await runImport(importer, path, scene, { options });
      expect(reading).toMatchObject({ badCount: 0, losses: [], warnings: [] });
      expect(inOrder(task.shapes).map(asRead)).toEqual(inOrder(shapes).map(asRead));
    }),
    { numRuns },
  );
}
