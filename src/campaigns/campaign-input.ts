import { createHash } from 'node:crypto';
import { isTimeZone, parseEndOfWindow, parseTimeOfDay } from '#kernel/calendar.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { CAMPAIGN_FIELD_DEFAULTS, type CampaignFields, fitBusinessConfig } from './campaign.ts';
import { keysOf } from '#kernel/typed.ts';

const MEMBERS: readonly (keyof CampaignFields)[] = ['name', 'businessCode', 'lineIds', ...keysOf(CAMPAIGN_FIELD_DEFAULTS)];

/** Fingerprint of a campaign's settings: differs when any setting differs. Moves and dials do not change it. */
export function settingsVersion(fields: CampaignFields): string {
  const text = JSON.stringify(MEMBERS.map(name => inOrder(fields[name])));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Sorts the members of objects by name, because the database does not preserve their order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}

/**
 * Validates a whole campaign and returns it as it is stored; `requireReferences` checks its references.
 *
 * Errors: INVALID_ARGUMENT naming the field
 * Source: OCS 2.6, D5.3, D5.4
 */
export function validCampaign(fields: CampaignFields, cellIds: ReadonlySet<string>): CampaignFields {
  requireWorkday(fields);
  if (fields.timeZone !== null && !isTimeZone(fields.timeZone)) throw invalidArgument('timeZone', 'timeZone');
  requireSchedule(fields);
  requireCell(fields.cellId, cellIds);
  return {
    ...fields,
    lineIds: [...new Set(fields.lineIds)],
    businessConfig: fitBusinessConfig(fields.businessConfig, fields.businessCode),
  };
}

/** Rows that a campaign refers to, locked until it is written. */
interface CampaignReferences {
  business: { isEnabled: boolean } | null;
  /** Existing lines of `lineIds`. */
  lines: readonly { id: number; isEnabled: boolean }[];
}

/**
 * Checks references, but only those that the request sets: renaming a campaign must not fail because a line was disabled.
 *
 * Errors: INVALID_ARGUMENT naming the field
 * Source: OCS 2.5, 2.6
 */
export function requireReferences({ business, lines }: CampaignReferences, fields: CampaignFields, given: readonly string[]): void {
  if (given.includes('businessCode') && business?.isEnabled !== true) throw invalidArgument('businessCode', 'unknownBusiness');
  if (given.includes('lineIds')) requireLines(fields.lineIds, lines);
}

function requireWorkday({ workdayStart, workdayEnd }: CampaignFields): void {
  if (workdayStart === null && workdayEnd === null) return;
  if (workdayStart === null) throw invalidArgument('workdayStart', 'setTogether', { other: 'workdayEnd' });
  if (workdayEnd === null) throw invalidArgument('workdayEnd', 'setTogether', { other: 'workdayStart' });
  if (parseTimeOfDay(workdayStart) === null) throw invalidArgument('workdayStart', 'hoursAndMinutes');
  if (parseEndOfWindow(workdayEnd) === null) throw invalidArgument('workdayEnd', 'hoursAndMinutesOr24');
  if (workdayStart === workdayEnd) throw invalidArgument('workdayEnd', 'sameAs', { other: 'workdayStart' });
}

function requireSchedule({ scheduledStartAt, scheduledEndAt }: CampaignFields): void {
  if (scheduledStartAt === null || scheduledEndAt === null || scheduledEndAt > scheduledStartAt) return;
  throw invalidArgument('scheduledEndAt', 'laterThan', { other: 'scheduledStartAt' });
}

function requireCell(cellId: string | null, cellIds: ReadonlySet<string>): void {
  if (cellId === null || cellIds.has(cellId)) return;
  throw invalidArgument('cellId', 'cellOutsideConfig', { cellId });
}

function requireLines(lineIds: readonly number[], lines: readonly { id: number; isEnabled: boolean }[]): void {
  const known = new Set(lines.map(({ id }) => id));
  const missing = lineIds.findIndex(id => !known.has(id));
  if (missing >= 0) throw invalidArgument(`lineIds[${missing}]`, 'unknownLine', { lineId: String(lineIds[missing]) });
  if (!lines.some(({ isEnabled }) => isEnabled)) throw invalidArgument('lineIds', 'enabledLine');
}
