const allowedSchemes = new Set(['https:', 'http:']);

/**
 * The address to hand to the system's browser, or `null` for one that must not leave the program: only web addresses
 * without credentials, since other schemes start programs.
 */
export function externalAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!allowedSchemes.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}

/** True for addresses of the workbench's own service: the same scheme, host and port. */
export function isOwnAddress(text: string, ownOrigin: string): boolean {
  return URL.canParse(text) && new URL(text).origin === ownOrigin;
}
