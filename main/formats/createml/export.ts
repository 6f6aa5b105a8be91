import { addDecimals } from '../kit/short-decimals.ts';
import { subsetName } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { visibleShapes } from '../kit/image-files/write-image-files.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import { withoutNoise } from '../kit/short-decimals.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';

const format = 'CreateML';

function problemOf({ type, points, rotation = 0 }: LabeledShape): string | undefined {
  if (type !== 'rectangle') return `${format} has boxes only.`;
  if (rotation % 360 !== 0) return `${format} has no turned boxes.`;
  return points.length === 4 && points.every(Number.isFinite)
    ? undefined
    : 'Its coordinates are not four finite numbers.';
}

/** Boxes are stated by their centres. */
function annotationOf({ label, points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }: LabeledShape): object {
  const coordinates = {
    x: withoutNoise((x1 + x2) / 2),
    y: withoutNoise((y1 + y2) / 2),
    width: Math.abs(addDecimals(x2, -x1)),
    height: Math.abs(addDecimals(y2, -y1)),
  };
  return { label, coordinates };
}

/** `<subset>/annotations.json`, a list of images; the images lie beside it. */
export const exportCreateMl: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);

  const annotationsOf = (frame: Frame): object[] => {
    for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for images with boxes.`);
    return visibleShapes(frame.labeled_shapes).flatMap((shape) => {
      const problem = problemOf(shape);
      if (problem !== undefined) {
        report.lost(shape.type, shape.label, problem);
        return [];
      }
      notes.shape(shape);
      report.carried('rectangle', shape.label);
      return [annotationOf(shape)];
    });
  };

  const writeSubset = async (zip: ZipWriter, subset: string, frames: Iterable<Frame>): Promise<void> => {
    const entry = await zip.beginEntry(`${subset}/annotations.json`);
    const json = createJsonWriter(entry);
    json.ascii('[');
    let isFirst = true;
    for (const frame of steps.frames(frames)) {
      json.ascii(isFirst ? '\n' : ',\n');
      isFirst = false;
      json.value({ image: imageName(task_data, frame), annotations: annotationsOf(frame) });
      if (json.isFull) await json.drain();
    }
    json.ascii('\n]\n');
    await json.flush();
    await entry.end();
  };

  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data))
      await writeSubset(zip, subsetName({ subset }, format), frames);
    await steps.images(zip, (frame) => `${subsetName(frame, format)}/${imageName(task_data, frame)}`);
  });
};
