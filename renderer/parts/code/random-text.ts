/** Random bytes as text of the URL's alphabet. */
export const randomText = (byteCount: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(byteCount))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
