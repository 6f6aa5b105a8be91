import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import { decodeErrorsNamed, openForDisplay } from '../../media/decode.ts';
import { encoded } from '../../media/encode-image.ts';
import type { CopyPicture } from './apply-export-options.ts';
import { extensionOf } from './frame-plan.ts';

const jpegName = /^\.jpe?g$/i;

/**
 * Creates the copies that the export options require. An image that already has the size and format is passed on as its
 * file.
 */
export function createImageCopier({ format, quality }: NonNullable<DatasetExportOptions['images']> = {}): CopyPicture {
  return async (image, { frame, isScaled }) => {
    const source = image.path ?? image.bytes;
    const extension = extensionOf(image.extension, isScaled, format);
    if (source === undefined || (!isScaled && extension === image.extension)) return image;
    const { width, height, name } = frame;
    const bytes = await decodeErrorsNamed(name, async () => {
      const picture = await openForDisplay(source, { name });
      // Exactly the size of the frame, because sharp would round a derived size differently.
      const sized = isScaled ? picture.resize({ width, height, fit: 'fill' }) : picture;
      const encoding = jpegName.test(extension) ? { format: 'jpeg' as const, quality } : { format: 'png' as const };
      return encoded(sized, encoding).toBuffer();
    });
    return { extension, bytes, isReplaced: image.isReplaced === true || undefined };
  };
}
