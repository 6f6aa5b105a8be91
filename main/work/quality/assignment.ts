/**
 * Assigns rows to columns, each at most once, with the minimum total cost (Hungarian method with potentials). Returns
 * the column of each row, or -1.
 * @param cost cost of a row and a column; must be finite
 */
export function assign(rows: number, columns: number, cost: (row: number, column: number) => number): number[] {
  if (rows > columns) {
    const turned = assign(columns, rows, (row, column) => cost(column, row));
    const answer = Array.from({ length: rows }, () => -1);
    turned.forEach((row, column) => {
      if (row >= 0) answer[row] = column;
    });
    return answer;
  }
  const ofRow = new Float64Array(rows + 1);
  const ofColumn = new Float64Array(columns + 1);
  const rowAt = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row += 1) {
    rowAt[0] = row;
    let column = 0;
    const least = new Float64Array(columns + 1).fill(Infinity);
    const isUsed = new Uint8Array(columns + 1);
    do {
      isUsed[column] = 1;
      const current = rowAt[column] ?? 0;
      let step = Infinity;
      let next = 0;
      for (let other = 1; other <= columns; other += 1) {
        if (isUsed[other] === 1) continue;
        const reduced = cost(current - 1, other - 1) - (ofRow[current] ?? 0) - (ofColumn[other] ?? 0);
        if (reduced < (least[other] ?? 0)) {
          least[other] = reduced;
          before[other] = column;
        }
        if ((least[other] ?? 0) < step) {
          step = least[other] ?? 0;
          next = other;
        }
      }
      for (let other = 0; other <= columns; other += 1) {
        if (isUsed[other] === 1) {
          const held = rowAt[other] ?? 0;
          ofRow[held] = (ofRow[held] ?? 0) + step;
          ofColumn[other] = (ofColumn[other] ?? 0) - step;
        } else least[other] = (least[other] ?? 0) - step;
      }
      column = next;
    } while (rowAt[column] !== 0);
    while (column !== 0) {
      const earlier = before[column] ?? 0;
      rowAt[column] = rowAt[earlier] ?? 0;
      column = earlier;
    }
  }
  const answer = Array.from({ length: rows }, () => -1);
  for (let column = 1; column <= columns; column += 1) {
    const row = rowAt[column] ?? 0;
    if (row > 0) answer[row - 1] = column - 1;
  }
  return answer;
}
