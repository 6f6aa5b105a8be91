/** Loaded with the first image: libvips is large, and most threads never decode an image. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // libvips caches decoded files by path: a file replaced on disk would show its old content.
  sharp.cache(false);
  return sharp;
}
