/** Addresses of the service are absolute; the browser's own origin is the one with the session. */
export const sameOrigin = (address: string): string => {
  const url = new URL(address, window.location.href);
  return url.pathname + url.search;
};

/** Starts the browser's own download, which asks or not where to save as the person has set it. */
export const startDownload = (address: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
};
