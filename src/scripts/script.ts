import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import type { JsonObject } from '#kernel/json.ts';
import { at, object, stampColumns } from '#platform/postgres/entity-columns.ts';
import { flag, rowId, stamps } from '#kernel/fields.ts';

/** A conversation script; its content is stored in immutable versions. Source: D11 */
export const script = z.object({
  id: rowId,
  name: z.string(),
  businessCode: z.string(),
  description: z.string(),
  isEnabled: flag,
  currentVersion: z.int().positive(),
  ...stamps,
});

export type Script = z.output<typeof script>;

/** A script with its current version. */
export interface ScriptVersion extends Script {
  hash: string;
  /** Members: nodes, variables, phrases, nlu, resultRules, entryNodeId. */
  body: JsonObject;
}

const scriptSchema = defineEntity({
  name: 'ScriptEntity',
  tableName: 'script',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    businessCode: p.text(),
    description: p.text(),
    isEnabled: p.boolean(),
    currentVersion: p.integer(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

const versionSchema = defineEntity({
  name: 'ScriptVersionEntity',
  tableName: 'script_version',
  properties: {
    id: p.integer().primary().autoincrement(),
    scriptId: p.integer(),
    version: p.integer(),
    hash: p.text(),
    body: object(),
    runtime: object(),
    createdBy: p.integer().strictNullable(),
    ...stampColumns(),
  },
});

export class ScriptEntity extends scriptSchema.class {}
scriptSchema.setClass(ScriptEntity);
export class ScriptVersionEntity extends versionSchema.class {}
versionSchema.setClass(ScriptVersionEntity);
