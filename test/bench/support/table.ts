export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    head
      .map((_, column) => {
        const cell = row[column] ?? '';
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('   ')
      .trimEnd();
  console.log(`\n${title}`);
  console.log(line(head));
  console.log(widths.map((width) => '─'.repeat(width)).join('───'));
  for (const row of rows) console.log(line(row));
}

/** Prints a line below a table: a condition of the measurement, or its meaning. */
export const printNote = (text: string): void => console.log(`  ${text}`);
