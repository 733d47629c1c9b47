/** A part of a ZIP archive; `offset` is where its local header begins. */
export interface ZipEntry {
  name: string;
  offset: number;
  crc: number;
  compressed: number;
  size: number;
}

/** Sizes and checksum follow the data; the name is UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** 1980-01-01, the earliest date that the format knows. */
const NO_DATE = 0x0021;
/** Largest position and size that the archive's fields hold. */
const MAX_BYTES = 0xff_ff_ff_ff;

/**
 * Header in front of a part whose sizes are not known yet.
 *
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.9, 4.3.12, 4.3.16
 */
export function localHeader(name: string): Uint8Array {
  const text = Buffer.from(name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  writeCommon(head, 4);
  head.writeUInt16LE(text.length, 26);
  return Buffer.concat([head, text]);
}

/** Version, flags, method, time and date, as both headers have them. */
function writeCommon(head: Buffer, at: number): void {
  head.writeUInt16LE(VERSION, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(DEFLATED, at + 4);
  head.writeUInt16LE(0, at + 6);
  head.writeUInt16LE(NO_DATE, at + 8);
}

/** Follows the data of a part. Errors: RangeError when the part is too large for the archive */
export function descriptor({ crc, compressed, size }: ZipEntry): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(compressed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

/** The archive's directory and end; `offset` is where the directory begins. Errors: RangeError when the archive is too large */
export function directory(entries: readonly ZipEntry[], offset: number): Uint8Array {
  if (offset > MAX_BYTES) throw new RangeError('a ZIP archive of more than 4 GiB');
  const listed = Buffer.concat(entries.map(directoryEntry));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([listed, end]);
}

function directoryEntry({ name, offset, crc, compressed, size }: ZipEntry): Uint8Array {
  const text = Buffer.from(name);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(VERSION, 4);
  writeCommon(head, 6);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(compressed, 20);
  head.writeUInt32LE(size, 24);
  head.writeUInt16LE(text.length, 28);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, text]);
}
