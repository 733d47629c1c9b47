import type { Cancel } from '#kernel/clock.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import type { RuntimeEventChange } from '#runtime-events/runtime-event-store.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';
import type { Platform } from '#platform/platform.ts';
import { callKeyOf, type LiveCall } from '#calls/live-call.ts';
import { type LiveCallScope, shows } from '#calls/live-call-scope.ts';
import { readLiveCalls } from '#calls/list-live-calls.ts';
import { watch } from '#platform/feeds/fan-out.ts';
import type { Publisher, Source } from '#platform/feeds/feed.ts';
import type { RuntimeEventsEvent, RuntimeEventFeedPart } from '#runtime-events/runtime-event-feed.ts';

/** Most alerts in a snapshot, the newest. */
const MAX_ALERTS = 50;
/** Delay before calls that could not be read are read again, in ms. */
const RETRY_MS = 1_000;
const INTENT_ALERT = 'intent.alert';

/** The customer of a call said one of the campaign's keywords. Source: D14.3 `intent.alert` */
export interface IntentAlert {
  /** Id of the runtime event. */
  id: number;
  requestId: string;
  callKey: string;
  attemptId: number;
  campaignId: number;
  keyword: string;
  segmentId: string;
  /** UTC ms. */
  at: number;
  acknowledgedAt: number | null;
  acknowledgedBy: number | null;
}

export interface IntentAlertChange {
  kind: 'raised' | 'acknowledged';
  alert: IntentAlert;
}

/** Converts a runtime event into the alert that it stands for; null for events of other types. */
export function intentAlertOf({
  id,
  type,
  detail,
  attemptId,
  campaignId,
  acknowledgedAt,
  acknowledgedBy,
}: RuntimeEvent): IntentAlert | null {
  if (type !== INTENT_ALERT || typeof detail !== 'object' || detail === null || Array.isArray(detail)) return null;
  const { requestId, keyword, segmentId, at } = detail;
  if (attemptId === null || campaignId === null) return null;
  if (typeof requestId !== 'string' || typeof keyword !== 'string' || typeof segmentId !== 'string' || typeof at !== 'number') return null;
  return { id, requestId, callKey: callKeyOf(requestId), attemptId, campaignId, keyword, segmentId, at, acknowledgedAt, acknowledgedBy };
}

/**
 * Alerts of the calls that a scope shows at the moment of the alert.
 *
 * Why:    the event only names the call and the live call says who may see it, so an alert reaches only users who may watch its call
 * Source: OCS 4.12, D9.3
 */
export function intentAlertSource(
  app: RuntimeEventFeedPart & LiveCallsPart & Pick<Platform, 'clock' | 'log'>,
  scope: LiveCallScope,
): Source<readonly IntentAlert[], IntentAlertChange> {
  return new IntentAlerts(app, scope);
}

class IntentAlerts implements Source<readonly IntentAlert[], IntentAlertChange> {
  readonly #app: RuntimeEventFeedPart & LiveCallsPart & Pick<Platform, 'clock' | 'log'>;
  readonly #scope: LiveCallScope;
  /** Newest first. */
  #alerts: readonly IntentAlert[] | null = null;
  /** Serialises the reads of calls, so that alerts are published in order. */
  #tail: Promise<void> = Promise.resolve();
  #isStopped = false;
  #cancelRetry: Cancel = () => undefined;

  constructor(app: RuntimeEventFeedPart & LiveCallsPart & Pick<Platform, 'clock' | 'log'>, scope: LiveCallScope) {
    this.#app = app;
    this.#scope = scope;
  }

  current(): readonly IntentAlert[] | null {
    return this.#alerts;
  }

  start(publisher: Publisher<IntentAlertChange>): () => void {
    const stop = watch(this.#events(), event => this.#queue(() => this.#take(event, publisher), publisher));
    return () => {
      this.#isStopped = true;
      this.#cancelRetry();
      stop();
    };
  }

  #events() {
    return this.#app.runtimeEventFeed.channel(INTENT_ALERT, ({ type }) => type === INTENT_ALERT);
  }

  #queue(step: () => Promise<void> | void, publisher: Publisher<IntentAlertChange>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#isStopped) return;
      try {
        await step();
      } catch (error) {
        this.#app.log.warn({ err: error }, 'calls of intent alerts could not be read');
        this.#lose(publisher);
      }
    });
  }

  async #take(event: RuntimeEventsEvent, publisher: Publisher<IntentAlertChange>): Promise<void> {
    if (event.kind === 'snapshot') return this.#begin(event.state, publisher);
    if (event.kind === 'change') return this.#takeChange(event.change, publisher);
    this.#alerts = null;
    publisher.lost(event.reason);
  }

  async #begin(events: readonly RuntimeEvent[], publisher: Publisher<IntentAlertChange>): Promise<void> {
    const alerts = (await this.#shown(events)).slice(0, MAX_ALERTS);
    this.#alerts = alerts;
    if (!this.#isStopped) publisher.began();
  }

  async #takeChange({ kind, event }: RuntimeEventChange, publisher: Publisher<IntentAlertChange>): Promise<void> {
    // The pending snapshot will include this event.
    if (this.#alerts === null) return;
    const known = this.#alerts.some(({ id }) => id === event.id);
    const [alert] = known ? [intentAlertOf(event)] : await this.#shown([event]);
    if (!alert || this.#isStopped || (known && kind === 'recorded')) return;
    this.#alerts = [alert, ...this.#alerts.filter(({ id }) => id !== alert.id)].sort((a, b) => b.id - a.id).slice(0, MAX_ALERTS);
    publisher.changed({ kind: kind === 'recorded' ? 'raised' : 'acknowledged', alert });
  }

  #lose(publisher: Publisher<IntentAlertChange>): void {
    this.#alerts = null;
    if (this.#isStopped) return;
    publisher.lost('SOURCE_UNAVAILABLE');
    this.#cancelRetry();
    this.#cancelRetry = this.#app.clock.schedule(RETRY_MS, () => {
      this.#queue(async () => {
        for (const event of this.#events().since(null)) await this.#take(event, publisher);
      }, publisher);
    });
  }

  /** Filters alerts by scope; alerts of ended calls are visible only to users who may see every call. */
  async #shown(events: readonly RuntimeEvent[]): Promise<IntentAlert[]> {
    const { campaignId, viewerId } = this.#scope;
    const alerts = events
      .flatMap(event => intentAlertOf(event) ?? [])
      .filter(alert => campaignId === null || alert.campaignId === campaignId);
    if (viewerId === null) return alerts;
    const requestIds = [...new Set(alerts.map(({ requestId }) => requestId))];
    const calls = requestIds.length === 0 ? new Map<string, LiveCall>() : await readLiveCalls(this.#app, requestIds);
    return alerts.filter(alert => {
      const call = calls.get(alert.requestId);
      return call !== undefined && shows(this.#scope, call);
    });
  }
}
