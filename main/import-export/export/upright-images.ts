import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import type { FrameImage, TaskData } from '../../formats/kit/task-data.ts';
import { withOverrides } from '../../formats/kit/with-overrides.ts';
import { turnOf } from '../../media/encode-image.ts';
import { AppError } from '../../platform/errors.ts';

type Orientation = NonNullable<DatasetExportOptions['images']>['orientation'];

const counted = (count: number): string => (count === 1 ? '1 image' : `${count} images`);

/**
 * Wraps the task so that images are stored upright: annotations refer to the upright image, but many programs ignore
 * EXIF orientation. Copies for export options are upright already. `tell` reports the changes.
 */
export function withUprightImages(task_data: TaskData, orientation: Orientation = 'upright') {
  let turned = 0;
  let encoded = 0;
  const damaged: string[] = [];

  async function upright(image: FrameImage, name: string): Promise<FrameImage> {
    if (image.path === undefined) return image;
    const turn = await turnOf(image.path, name);
    if (!turn) return image;
    if (orientation === 'original') {
      turned += 1;
      return image;
    }
    const bytes = await turn.upright().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid') return undefined;
      throw error;
    });
    if (!bytes) {
      damaged.push(name);
      return image;
    }
    turned += 1;
    if (!turn.isLossless) encoded += 1;
    const { path: _path, ...rest } = image;
    return { ...rest, bytes };
  }

  return {
    task_data: withOverrides(task_data, {
      async frame_image(frame) {
        const image = await task_data.frame_image(frame);
        return image && upright(image, frame.name);
      },
    }),
    tell(report: FormatReport): void {
      if (damaged.length > 0)
        report.warn(
          `${counted(damaged.length)} could not be decoded and rotated upright, the first is ${damaged[0] ?? ''}.`,
        );
      if (turned === 0) return;
      const how =
        encoded === 0
          ? 'without loss'
          : `${encoded === turned ? '' : `${encoded} of them `}re-encoded as JPEG with quality 100`;
      report.warn(
        orientation === 'original'
          ? `${counted(turned)} with an EXIF orientation were written unchanged: annotations refer to the upright image, and programs that ignore EXIF show another one.`
          : `${counted(turned)} with an EXIF orientation were written upright, ${how}. Choose the original orientation to get the files unchanged.`,
      );
    },
  };
}
