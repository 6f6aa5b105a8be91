/** Random bytes in base64url. */
export const randomText = (byteCount: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(byteCount))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
