const allowedSchemes = new Set(['https:', 'http:']);

/**
 * Returns the address to open in the system's browser, or `null`. Allows only web addresses without credentials,
 * because other schemes start programs.
 */
export function externalAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!allowedSchemes.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}

/** True if the address has the scheme, host and port of the workbench's own service. */
export function isOwnAddress(text: string, ownOrigin: string): boolean {
  return URL.canParse(text) && new URL(text).origin === ownOrigin;
}
