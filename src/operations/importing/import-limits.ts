/** Source: OCS §8, D6.5 */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 10_000;
/** Lines of a file, blank ones included: spreadsheets append thousands of empty rows. */
export const MAX_FILE_RECORDS = 200_000;
export const MAX_COLUMNS = 100;
/** Characters of a column's name. */
export const MAX_COLUMN_NAME_LENGTH = 100;
/** Text that is parsed before other work gets its turn, characters: a few ms. */
export const PARSE_CHUNK_LENGTH = 128 * 1024;
export const PARSE_CHUNK_LINES = 500;
/** Rows that are validated before other work gets its turn: a few ms. */
export const VALIDATE_CHUNK_ROWS = 500;
