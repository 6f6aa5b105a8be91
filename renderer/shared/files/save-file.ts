type Cell = string | number;

/** Prevents formula injection: spreadsheet programs would execute a cell that starts like a formula. */
const cellText = (value: Cell): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** CSV of rows; missing values stay empty. */
export function csvOf<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [Name in Column]?: Cell | null }[],
): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return [columns, ...lines].map((line) => `${line.map(cellText).join(',')}\r\n`).join('');
}

/** Downloads a generated file, with or without a save dialog by the browser's settings. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download holds the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

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
