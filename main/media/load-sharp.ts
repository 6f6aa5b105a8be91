/** Loaded with the first image: libvips is large, and most threads never see a picture. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // libvips keeps decoded files by path: a file that was replaced on disk would be shown as it was before.
  sharp.cache(false);
  return sharp;
}
