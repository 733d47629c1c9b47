/** A TCP connection of this process, with the members of Node's socket. */
export interface Connection {
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Bytes written so far, including those still buffered in the process. */
  readonly bytesWritten: number;
  /** Bytes buffered in the process. */
  readonly writableLength: number;
}

/** Bytes in the operating system's send queues, not yet acknowledged by clients. */
export interface SendQueues {
  /** Bytes by `nameOfConnection`, without empty queues; an empty map where the system does not report them. */
  read(): Promise<ReadonlyMap<string, number>>;
}

export function nameOfConnection({
  localPort,
  remoteAddress,
  remotePort,
}: Pick<Connection, 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${localPort} ${remoteAddress} ${remotePort}`;
}
