import { JsonType, p, raw, Type } from '@mikro-orm/core';
import { type JsonObject, storableJson } from '#kernel/json.ts';

/** A `timestamptz` column, held as UTC ms. */
export class InstantType extends Type<number | null, string | number | null> {
  // The ORM passes null here too; `new Date(null)` would be 1970.
  override convertToDatabaseValue(value: number | string | null): string | null {
    return value === null ? null : new Date(value).toISOString();
  }

  override convertToJSValue(value: number | string | null): number | null {
    return value === null || typeof value === 'number' ? value : Date.parse(value);
  }

  override compareAsType(): string {
    return 'string';
  }

  override get runtimeType(): string {
    return 'number';
  }

  override getColumnType(): string {
    return 'timestamptz(3)';
  }
}

/** A `jsonb` column; removes the characters that jsonb rejects. */
class StorableJsonType extends JsonType {
  override convertToDatabaseValue(value: unknown): string | null {
    return value === null || value === undefined ? null : storableJson(value);
  }
}

/** An instant, UTC ms. */
export const at = () => p.type(InstantType).$type<number>();

export const jsonColumn = <Value>() => p.type(StorableJsonType).$type<Value>();
export const objectColumn = jsonColumn<JsonObject>;

/** Set by the database clock: a default on insert, a trigger on update. `onUpdate` names the column so that the ORM reads the new value back. */
export const stampColumns = () => ({
  createdAt: at().defaultRaw('now()'),
  updatedAt: at()
    .defaultRaw('now()')
    .onUpdate(() => raw<number>('now()')),
});
