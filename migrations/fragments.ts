/**
 * SQL fragments that the migrations of release 0.1.0 share.
 *
 * Why: they are part of applied migrations, so they never change; a later migration that needs others has its own
 */

/** Times of a row; the trigger of `touch` keeps the second one. */
export const TIMES = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;

/** An attempt that has no outcome yet. */
export const OPEN_ATTEMPT = `status in ('claimed','dialing','accepted','answered')`;

/** Triggers that set `updated_at` whenever a row of one of these tables changes. */
export const touch = (...tables: string[]): string[] =>
  tables.map(table => `create trigger ${table}_touch before update on ${table} for each row execute function touch_row()`);

/** Check that a recording is stored by its short file name, whichever program writes the row. Source: OCS 4.16 */
export const recordingIsName = (table: string): string =>
  String.raw`constraint ${table}_recording_is_name check (recording_url !~ '[/\\]')`;
