import { type EditRate, PROMISED_RATE, type Verdict } from './judge.ts';

/** The verdict as readable lines. */
export function reportLines({ violations, recoveries, binding, editRate, silence, counts, jobs, webhooks }: Verdict): string[] {
  return [
    'recovery: from the end of the fault until every campaign has dialled again',
    ...recoveries.map(({ what, ms }) => `  ${ms === null ? '     never' : `${String(ms).padStart(7)} ms`}  ${what}`),
    'binding: from the answer to an edit until the last dial that it should have stopped, decided and at the switch (in calm)',
    ...Object.entries(binding).map(
      ([kind, { edits, calmEdits, decidedMaxMs, calmMaxMs, maxMs }]) =>
        `  ${kind.padEnd(12)} ${edits} edits: decided ${decidedMaxMs} ms, at the switch ${maxMs} ms (${calmEdits} in calm: ${calmMaxMs} ms)`,
    ),
    rateLine(editRate),
    `silence: of ${silence.answered} answered customers none heard nobody longer than ${silence.calmMs} ms in calm, ${silence.afterFaultMs} ms after a fault, ${silence.afterDeathMs} ms after the death of its runtime`,
    jobLine(jobs),
    webhookLine(webhooks),
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
    violations.length === 0 ? 'no violation' : `${violations.length} violations`,
    ...violations.map(violation => `  ${violation}`),
  ];
}

function rateLine({ median, best }: EditRate): string {
  const isReached = median >= PROMISED_RATE;
  const verdict = isReached ? 'reached' : 'NOT reached here: the binding is shown for the rate above only';
  return `  edits were answered at ${Math.round(median)} dials/s (median; best ${Math.round(best)}); the promised ${PROMISED_RATE} dials/s: ${verdict}`;
}

function jobLine({ imports, importedRows, exports, exportedRows, unownedMs }: Verdict['jobs']): string {
  return `jobs: ${imports} imports of ${importedRows} contacts, ${exports} exports of ${exportedRows} rows, compared row by row; an open job had no owner for ${unownedMs} ms at most`;
}

function webhookLine({ messages, repeated, calls, jobs, receiverFaults }: Verdict['webhooks']): string {
  const faults = Object.entries(receiverFaults).map(([name, times]) => `${name} ${times} times`);
  return `webhooks: ${messages} messages of ${calls} ended calls and ${jobs} jobs; ${repeated} came again; the receiver was ${faults.join(', ')}`;
}
