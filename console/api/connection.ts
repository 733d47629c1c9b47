/** State of the connection to the server; the banner and the age of the data derive from it. */
export interface Connection {
  isLive: boolean;
  /** When the state last changed, in ms of the browser's clock. */
  since: number;
}

const listeners = new Set<() => void>();
/** Streams that lost the server and have not resumed yet. */
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
