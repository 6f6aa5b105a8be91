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
