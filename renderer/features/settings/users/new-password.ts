const bytes = 12;

/** A password that nobody has to think of: 16 characters of the URL's alphabet, 96 bits. */
export function newPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
