/** Whether this tab hears from the server: what the banner says and how old the data are. */
export interface Connection {
  isLive: boolean;
  /** Since when it is as it is, ms of the browser's clock. */
  since: number;
}

const listeners = new Set<() => void>();
/** Streams that lost the server and are not back yet. */
const lost = new Set<symbol>();
let connection: Connection = { isLive: true, since: Date.now() };

export function currentConnection(): Connection {
  return connection;
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteLost(stream: symbol): void {
  lost.add(stream);
  change();
}

export function noteHeard(stream: symbol): void {
  if (lost.delete(stream)) change();
}

export function noteAllHeard(): void {
  lost.clear();
  change();
}

function change(): void {
  const isLive = lost.size === 0;
  if (isLive === connection.isLive) return;
  connection = { isLive, since: Date.now() };
  for (const listener of listeners) listener();
}
