import { createLog } from '#platform/log.ts';
import type { Log } from '#kernel/log.ts';

export interface CapturedLog {
  log: Log;
  /** Every line as the server would print it. */
  lines(): string[];
  /** Parsed lines with this message. */
  saying(message: string): Record<string, unknown>[];
}

/** The server's own log, which keeps its lines instead of printing them. */
export function captureLog(level = 'debug'): CapturedLog {
  const lines: string[] = [];
  const log = createLog({ level, instanceId: 'captured' }, { write: line => void lines.push(line) });
  return {
    log,
    lines: () => [...lines],
    saying: message => lines.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line['msg'] === message),
  };
}
