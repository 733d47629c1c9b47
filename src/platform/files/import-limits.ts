/** Source: OCS §8, D6.5 */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 10_000;
/** Most lines of a file, blank ones included, because spreadsheets append thousands of empty rows. */
export const MAX_FILE_RECORDS = 200_000;
export const MAX_COLUMNS = 100;
/** Longest column name, in characters. */
export const MAX_COLUMN_NAME_LENGTH = 100;
/** Characters parsed before the event loop yields: a few ms. */
export const PARSE_CHUNK_LENGTH = 128 * 1024;
export const PARSE_CHUNK_LINES = 500;
/** Rows validated before the event loop yields: a few ms. */
export const VALIDATE_CHUNK_ROWS = 500;
