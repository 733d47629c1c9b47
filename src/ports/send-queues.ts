/** One TCP connection of this process, as Node's sockets show it. */
export interface Connection {
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Bytes given to be sent so far, those that wait in the process included. */
  readonly bytesWritten: number;
  /** Bytes that wait in the process. */
  readonly writableLength: number;
}

/** What the operating system holds for clients: sent or not, they have not taken it. */
export interface SendQueues {
  /** Bytes by `nameOfConnection`; connections without any are left out, and all where the system does not say. */
  read(): Promise<ReadonlyMap<string, number>>;
}

export function nameOfConnection({
  localPort,
  remoteAddress,
  remotePort,
}: Pick<Connection, 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${localPort} ${remoteAddress} ${remotePort}`;
}
