type Cell = string | number;

/** A cell that opens as the text that it is: a program for tables would run what looks like a formula. */
const cellText = (value: Cell): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table for other programs: what a row does not say stays empty. */
export function csvOf<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [Name in Column]?: Cell | null }[],
): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return [columns, ...lines].map((line) => `${line.map(cellText).join(',')}\r\n`).join('');
}
