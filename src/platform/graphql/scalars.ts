import { problem } from '#kernel/problem.ts';
import { Kind, valueFromASTUntyped, type ValueNode } from 'graphql';
import { invalidArgument, invalidInput } from '#kernel/errors.ts';

/** A file of a request. Its bytes are private, so that code that walks the arguments does not visit them. */
export class UploadedFile {
  readonly fileName: string;
  readonly #bytes: Uint8Array;

  constructor(fileName: string, bytes: Uint8Array) {
    this.fileName = fileName;
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** A multipart form that was read. */
export interface MultipartForm {
  fileField: string;
  fileName: string;
  bytes: Uint8Array;
  fields: Readonly<Record<string, string>>;
}

/** Most members in the path to the file. */
const MAX_PLACE_DEPTH = 6;

/**
 * The operation of a multipart request, with the file at the place that `map` names.
 *
 * Errors: INVALID_ARGUMENT naming `operations` or `map`
 * Source: graphql-multipart-request-spec, with one operation and one file
 */
export function withFile({ fileField, fileName, bytes, fields }: MultipartForm): object {
  const operation = objectOf('operations', fields);
  const map = objectOf('map', fields);
  const places: unknown = map[fileField];
  const [place, ...more] = Object.keys(map).length === 1 && Array.isArray(places) ? (places as unknown[]) : [];
  if (typeof place !== 'string' || more.length > 0) throw invalidArgument('map', 'oneVariable', { file: fileField });
  putAt(operation, place, new UploadedFile(fileName, bytes));
  return operation;
}

function putAt(operation: Record<string, unknown>, place: string, file: UploadedFile): void {
  const names = place.split('.');
  const last = names.pop() ?? '';
  const isPlace = names[0] === 'variables' && names.length < MAX_PLACE_DEPTH;
  const parent = isPlace ? names.reduce<unknown>((from, name) => own(from, name), operation) : null;
  if (own(parent, last) !== null) throw invalidArgument('map', 'nullVariable', { place });
  (parent as Record<string, unknown>)[last] = file;
}

/** Undefined unless it is an own member. */
function own(parent: unknown, name: string): unknown {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
    ? (parent as Record<string, unknown>)[name]
    : undefined;
}

function objectOf(name: string, fields: MultipartForm['fields']): Record<string, unknown> {
  const text = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const value: unknown = text === undefined ? undefined : parsed(name, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidArgument(name, 'jsonObject');
  return value as Record<string, unknown>;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput([{ field: name, problem: problem('json') }], cause);
  }
}

/** Refuses a value that is not a file of the request. */
function noFile(): never {
  throw invalidArgument('Upload', 'multipartFile');
}

const ZONED = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}(:?\d{2})?)$/;
const MAX_LENGTH = 40;

function parseInstant(value: unknown): number {
  const at = typeof value === 'string' && value.length <= MAX_LENGTH && ZONED.test(value) ? readInstant(value) : null;
  if (at === null) throw invalidArgument('DateTime', 'zonedTime', { example: '2026-10-01T09:00:00+08:00' });
  return at;
}

function readInstant(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // Well-formed but not on the calendar, such as 2026-02-30.
    return null;
  }
}

function presentInstant(at: unknown): string {
  if (typeof at !== 'number') throw new TypeError('DateTime needs UTC ms');
  return new Date(at).toISOString();
}

/**
 * Parsers and serialisers of the schema's own scalars, whose names and descriptions are in the schema.
 *
 * Shape:  DateTime: UTC ms inside, ISO 8601 on the wire; JSON: as it is; Upload: only as a variable
 * Source: D2.5
 */
export const SCALARS = {
  DateTime: {
    __serialize: presentInstant,
    __parseValue: parseInstant,
    __parseLiteral: (node: ValueNode) => parseInstant(node.kind === Kind.STRING ? node.value : undefined),
  },
  Upload: {
    __serialize: noFile,
    __parseValue: (value: unknown) => (value instanceof UploadedFile ? value : noFile()),
    __parseLiteral: noFile,
  },
  JSON: {
    __serialize: (value: unknown) => value,
    __parseValue: (value: unknown) => value,
    __parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) => valueFromASTUntyped(node, variables),
  },
};
