/** Converts absolute addresses of the service to the browser's origin, which has the session. */
export const sameOrigin = (address: string): string => {
  const url = new URL(address, window.location.href);
  return url.pathname + url.search;
};

/** Starts the browser's download, with or without a save dialog by its settings. */
export const startDownload = (address: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
};
