/**
 * The short file name by which a recording is kept and shown: the last part of a path or address, without query; null when no file name is left, or one
 * that would be an address of its own.
 *
 * Why:    where recordings are served may change (`GET /api/media/config`), their names do not
 * Source: OCS 4.16, D7.7
 */
export function recordingName(path: string | null): string | null {
  const name = (path ?? '').replace(/[?#].*$/s, '').replaceAll('\\', '/');
  const last = name.slice(name.lastIndexOf('/') + 1).trim();
  return isFileName(last) ? last : null;
}

/** What browsers play, by the end of the name. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
  flac: 'audio/flac',
};

/** Null: nothing that is known to be audio. */
export function mediaTypeOf(name: string): string | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, extension) ? (MEDIA_TYPES[extension] ?? null) : null;
}

const MAX_BYTES = 255;

/** What a browser would take for the scheme of an address: `javascript:`, `data:`, `blob:`. A time of day begins with a digit. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** It becomes part of an address where people's browsers fetch it: no way out of the folder, nothing that a reader cannot see. */
function isFileName(name: string): boolean {
  return name !== '' && !SCHEME.test(name) && !/^\.+$/.test(name) && !/[\p{Cc}\p{Cf}]/u.test(name) && Buffer.byteLength(name) <= MAX_BYTES;
}
