import sharp from 'sharp';

const block = 10;

export interface LargePicture {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
  /**
   * Distance from the lower right corner to the upper left corner of a red square, in x and y. Its side is half of
   * that.
   */
  readonly markPx?: number;
}

/** A JPEG without two equal regions: colours change along both axes, over squares of 20 pixels. */
export async function writeLargePicture(path: string, picture: LargePicture): Promise<void> {
  const [width, height] = [Math.ceil(picture.width / block), Math.ceil(picture.height / block)];
  const mark = Math.round((picture.markPx ?? 0) / block);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isMarked = [width - x, height - y].every((far) => far <= mark && far > mark / 2);
      data[place++] = isMarked ? 255 : (200 * x) / width;
      data[place++] = isMarked ? 0 : (255 * y) / height;
      data[place++] = isMarked ? 0 : 40 + 160 * (((x >> 1) + (y >> 1)) % 2);
    }
  }
  await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(picture.width, picture.height, { kernel: 'nearest' })
    .withMetadata({ orientation: picture.orientation ?? 1 })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toFile(path);
}
