/** Characters that spreadsheets interpret as the start of a formula, including the full-width ones. */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * A text as a cell that no spreadsheet executes: adds an apostrophe before the start of a formula. Numbers stay
 * numbers. Lossless, because existing apostrophes before such a start get one more: see {@link restoredText}.
 */
export function harmlessCell(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The text of a cell that {@link harmlessCell} has written. */
export function restoredText(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
