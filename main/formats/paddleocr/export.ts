import { cornersOf } from '../kit/corner-box.ts';
import { subsetName } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { createObjectWriter } from '../kit/image-files/object-writer.ts';
import { createByteWriter } from '../io/byte-writer.ts';
import type { Exporter } from '../kit/plugin.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import { textLabel } from './import.ts';

const format = 'PaddleOCR';
const isTrue = (value: string | undefined): boolean => value === 'true';

/** `<subset>/Label.txt`, a line for each image; they lie in `<subset>/images`. */
export const exportPaddleOcr: Exporter = async (file_object, task_data, options) => {
  const steps = createExportSteps(task_data, options);
  const { objectsOf, tagsOf } = createObjectWriter(
    {
      format,
      kinds: new Set(['rectangle', 'polygon']),
      kept: { attributes: new Set(['transcription', 'difficult']) },
      object({ label, attributes }, { kind, points }) {
        const valueOf = (name: string) => attributes.find((one) => one.name === name)?.value;
        return {
          transcription: valueOf('transcription') ?? '',
          points: pairsOf(kind === 'polygon' ? points : cornersOf({ points })),
          difficult: isTrue(valueOf('difficult')),
          ...(label === textLabel ? {} : { key_cls: label }),
        };
      },
    },
    task_data,
    options.report,
  );
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      const entry = await zip.beginEntry(`${subsetName({ subset }, format)}/Label.txt`);
      const out = createByteWriter(entry);
      for (const frame of steps.frames(frames)) {
        tagsOf(frame);
        out.text(`images/${imageName(task_data, frame)}\t${JSON.stringify(objectsOf(frame))}\n`);
        if (out.isFull) await out.flush();
      }
      await out.flush();
      await entry.end();
    }
    await steps.images(zip, (frame) => `${subsetName(frame, format)}/images/${imageName(task_data, frame)}`);
  });
};
