/**
 * Rows of `show … as json`; null when unreadable. An empty list has no `rows` member.
 *
 * Source: test/fixtures/esl/README.md §4
 */
export function readRows(text: string): Record<string, unknown>[] | null {
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null || !('row_count' in answer)) return null;
  const rows: unknown[] = 'rows' in answer && Array.isArray(answer.rows) ? answer.rows : [];
  return rows.filter(row => typeof row === 'object' && row !== null).map(row => ({ ...row }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller reports the cell as unavailable
  }
}
