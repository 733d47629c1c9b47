import { networkOf } from '#kernel/network.ts';

/** Most unauthenticated sockets of one process, and of one address. */
const MAX_UNAUTHENTICATED = 1_000;
const MAX_UNAUTHENTICATED_OF_ADDRESS = 100;
/** Most bytes that an unauthenticated socket may send. */
export const MAX_UNAUTHENTICATED_SOCKET_BYTES = 4_096;

/** Counts sockets from their opening to their authentication. */
export class UnauthenticatedSockets {
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  /** Returns a function that frees the place, effective once; null when there is no place. */
  enter(address: string | null): (() => void) | null {
    const network = networkOf(address ?? '');
    const own = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= MAX_UNAUTHENTICATED || own >= MAX_UNAUTHENTICATED_OF_ADDRESS) return null;
    this.#all += 1;
    this.#byNetwork.set(network, own + 1);
    let isIn = true;
    return () => {
      if (isIn) this.#leave(network);
      isIn = false;
    };
  }

  #leave(network: string): void {
    this.#all -= 1;
    const left = (this.#byNetwork.get(network) ?? 1) - 1;
    if (left === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, left);
  }
}
