/** Codes of the rows of a column, as wide as the largest needs. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * One column of the calls of an hour.
 *
 * Shape: a code of texts is an index of `dictionary`; a code of numbers is the number + 1, and 0 is none. `codes` is null when all are 0
 */
export interface Column {
  codes: Codes | null;
  dictionary: readonly string[] | null;
}

/** Makes a column of values that come one after the other. */
export interface ColumnBuilder<Value> {
  add: (value: Value) => void;
  finish: () => Column;
}

/** Codes in a list that grows, four bytes each. */
class CodeList {
  #codes = new Uint32Array(256);
  #length = 0;
  #largest = 0;

  push(code: number): void {
    if (this.#length === this.#codes.length) this.#grow();
    this.#codes[this.#length] = code;
    this.#length += 1;
    if (code > this.#largest) this.#largest = code;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#codes.length * 2);
    larger.set(this.#codes);
    this.#codes = larger;
  }

  packed(): Codes | null {
    const codes = this.#codes.subarray(0, this.#length);
    if (this.#largest === 0) return null;
    if (this.#largest < 2 ** 8) return Uint8Array.from(codes);
    return this.#largest < 2 ** 16 ? Uint16Array.from(codes) : codes.slice();
  }
}

export function textBuilder(): ColumnBuilder<string> {
  const places = new Map<string, number>();
  const codes = new CodeList();
  return {
    add(value) {
      const place = places.get(value) ?? places.size;
      if (place === places.size) places.set(value, place);
      codes.push(place);
    },
    finish: () => ({ codes: codes.packed(), dictionary: [...places.keys()] }),
  };
}

/** Largest number that a column holds; greater ones are cut. */
const MAX_NUMBER = 2 ** 32 - 2;

/** Numbers are whole and from 0 on. */
export function numberBuilder(): ColumnBuilder<number | null> {
  const codes = new CodeList();
  return {
    add: value => codes.push(value === null ? 0 : Math.min(MAX_NUMBER, Math.max(0, Math.round(value))) + 1),
    finish: () => ({ codes: codes.packed(), dictionary: null }),
  };
}

/** A column as it is stored: `width` is that of a code in bytes, 0 for one without codes. */
export interface StoredColumn {
  width: number;
  data: Uint8Array;
}

export function storedColumn({ codes }: Column): StoredColumn {
  if (codes === null) return { width: 0, data: new Uint8Array() };
  return { width: codes.BYTES_PER_ELEMENT, data: new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength) };
}

/** Codes from bytes in the order of this machine, which all supported machines share. */
export function codesOf({ width, data }: StoredColumn): Codes | null {
  if (width === 0) return null;
  const { buffer } = new Uint8Array(data);
  if (width === 1) return new Uint8Array(buffer);
  return width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

/** Bytes that a column takes in memory, roughly. */
export function sizeOf({ codes, dictionary }: Column): number {
  const texts = dictionary?.reduce((sum, text) => sum + 32 + text.length * 2, 0) ?? 0;
  return 100 + (codes?.byteLength ?? 0) + texts;
}
