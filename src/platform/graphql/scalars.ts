import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { invalidArgument } from '#kernel/errors.ts';
import { noFile, UploadedFile } from './uploaded-file.ts';

const ZONED = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}(:?\d{2})?)$/;
const MAX_LENGTH = 40;

function parseInstant(value: unknown): number {
  const at = typeof value === 'string' && value.length <= MAX_LENGTH && ZONED.test(value) ? readInstant(value) : null;
  if (at === null) throw invalidArgument('DateTime', '应为带时区的 ISO 8601 时间，例如 2026-10-01T09:00:00+08:00');
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
