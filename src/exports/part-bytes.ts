import type { Piece } from '#platform/files/tables/table-format.ts';

/** Most bytes of UTF-8 for a unit of UTF-16. */
const MAX_BYTES_OF_UNIT = 3;
/** Buffers that wait for their next part. */
const MAX_FREE = 4;

/**
 * Collects the bytes of a part in a buffer that is used again for the next part.
 *
 * Why: a new buffer for each part and each piece would lie beside the heap until the next collection, which comes late: they are large and few
 */
export class PartBytes {
  #buffer: Buffer;
  size = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  add(piece: Piece): void {
    const most = typeof piece === 'string' ? piece.length * MAX_BYTES_OF_UNIT : piece.length;
    if (this.size + most > this.#buffer.length) this.#grow(this.size + most);
    if (typeof piece === 'string') this.size += this.#buffer.write(piece, this.size);
    else {
      this.#buffer.set(piece, this.size);
      this.size += piece.length;
    }
  }

  /** The bytes until the next use of the buffer. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.size);
  }

  get buffer(): Buffer {
    return this.#buffer;
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(least, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.size);
    this.#buffer = grown;
  }
}

/** Lends the buffers of parts; one for each export that runs at the same time. */
export function createPartBuffers(partBytes: number) {
  const free: Buffer[] = [];
  return async <T>(work: (bytes: PartBytes) => Promise<T>): Promise<T> => {
    const lent = new PartBytes(free.pop() ?? Buffer.allocUnsafeSlow(partBytes * 2));
    try {
      return await work(lent);
    } finally {
      if (free.length < MAX_FREE) free.push(lent.buffer);
    }
  };
}

export type PartBuffers = ReturnType<typeof createPartBuffers>;
