/** Content types of chunks by quality: original chunks of a video are always videos. */
export function chunkTypes({
  media_kind: kind,
  zip_chunks: zipped,
}: {
  readonly media_kind: 'images' | 'video' | null;
  /** Compressed chunks of a video are ZIPs of images (1), or videos. */
  readonly zip_chunks: number | null;
}) {
  const isVideo = kind === 'video';
  return {
    original: isVideo ? 'video' : 'imageset',
    compressed: isVideo && zipped === 0 ? 'video' : 'imageset',
  } as const;
}
