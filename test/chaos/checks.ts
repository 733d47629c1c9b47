import type { ChannelRecord } from '#tools/switch/record.ts';
import type { Edit } from './edits.ts';

/** A channel of one of the cells. */
export interface SeenChannel extends Pick<ChannelRecord, 'uuid' | 'number' | 'startedAt' | 'answeredAt' | 'endedAt'> {
  cell: string;
  campaign: string;
  /** Caller number, which identifies the line. */
  caller: string;
}

export function seenChannel(cell: string, channel: ChannelRecord): SeenChannel {
  const { uuid, number, startedAt, answeredAt, endedAt, variables } = channel;
  return {
    uuid,
    number,
    startedAt,
    answeredAt,
    endedAt,
    cell,
    campaign: variables['callout_campaign_id'] ?? '',
    caller: variables['origination_caller_id_number'] ?? '',
  };
}

/** Numbers with two simultaneous channels on any cells (I2). */
export function dialledTwice(channels: readonly SeenChannel[]): string[] {
  return [...Map.groupBy(channels, channel => channel.number)].flatMap(([number, own]) => {
    const most = mostAtOnce(own);
    return most > 1 ? [`${number} on ${most} channels at once: ${own.map(channel => `${channel.uuid} (${channel.cell})`).join(', ')}`] : [];
  });
}

/** Campaigns, lines or cells with more simultaneous channels than their limit (I1). */
export function exceededLimits(
  channels: readonly SeenChannel[],
  by: 'campaign' | 'caller' | 'cell',
  limits: Readonly<Record<string, number>>,
): string[] {
  const groups = Map.groupBy(channels, channel => channel[by]);
  return [...groups].flatMap(([name, own]) => {
    const [most, limit] = [mostAtOnce(own), limits[name] ?? 0];
    return most > limit ? [`${by} ${name}: ${most} channels at once, the limit is ${limit}`] : [];
  });
}

/** Highest number of simultaneous channels; a channel without an end counts as still open. */
export function mostAtOnce(channels: readonly SeenChannel[]): number {
  const steps = channels.flatMap(({ startedAt, endedAt }) => [
    { at: startedAt, change: 1 },
    { at: endedAt ?? Number.POSITIVE_INFINITY, change: -1 },
  ]);
  // An end and a start at the same time do not overlap.
  steps.sort((a, b) => a.at - b.at || a.change - b.change);
  let [now, most] = [0, 0];
  for (const { change } of steps) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** A dial that an edit may have failed to stop. */
export interface EditedDial {
  campaign: string;
  number: string;
  /** UTC ms. */
  at: number;
}

/**
 * How long after its response an edit still let a dial through, ms; 0 if it let none through. Dials after the edit was lifted do not count.
 */
export function bindingMs(edit: Edit, dials: readonly EditedDial[]): number {
  const until = edit.liftedAt ?? Number.POSITIVE_INFINITY;
  const late = dials.filter(
    ({ campaign, number, at }) =>
      campaign === String(edit.campaignId) && number.startsWith(edit.numbers) && at > edit.answeredAt && at < until,
  );
  return late.reduce((most, { at }) => Math.max(most, at - edit.answeredAt), 0);
}

/** A span of time, UTC ms. */
export interface Span {
  startedAt: number;
  endedAt: number;
}

/** A fault that was carried out. */
export interface FaultSpan extends Span {
  what: string;
}

/**
 * Time from the end of a fault until every campaign has dialled again, ms; null if one had not by `until`.
 *
 * Shape: `starts` by campaign: start times of its channels
 */
export function recoveryMs(fault: Span, starts: ReadonlyMap<string, readonly number[]>, until: number): number | null {
  let slowest = 0;
  for (const instants of starts.values()) {
    const first = instants.find(at => at > fault.endedAt && at <= until);
    if (first === undefined) return null;
    slowest = Math.max(slowest, first - fault.endedAt);
  }
  return slowest;
}

/** The rest of a span after the last fault that overlaps it, or the whole span without an overlap. */
export function afterFaults(span: Span, faults: readonly Span[]): Span {
  const over = faults.filter(fault => fault.startedAt < span.endedAt && fault.endedAt > span.startedAt - FAULT_WAKE_MS);
  if (over.length === 0) return span;
  const startedAt = Math.max(span.startedAt, ...over.map(fault => fault.endedAt));
  return { startedAt: Math.min(startedAt, span.endedAt), endedAt: span.endedAt };
}

/** Time after a fault in which its effects may still be felt, ms. */
const FAULT_WAKE_MS = 3_000;

/** Dials per second within a span. */
export function rateWithin(instants: readonly number[], { startedAt, endedAt }: Span): number {
  const count = instants.filter(at => at >= startedAt && at < endedAt).length;
  return endedAt > startedAt ? (count * 1_000) / (endedAt - startedAt) : 0;
}
