import { headerOf, type OutgoingEvent } from './frames.ts';

/** Event names that the switch knows; it silently ignores others. */
const EVENT_NAMES = new Set(
  `CUSTOM CLONE CHANNEL_CREATE CHANNEL_DESTROY CHANNEL_STATE CHANNEL_CALLSTATE CHANNEL_ANSWER CHANNEL_HANGUP CHANNEL_HANGUP_COMPLETE
  CHANNEL_EXECUTE CHANNEL_EXECUTE_COMPLETE CHANNEL_HOLD CHANNEL_UNHOLD CHANNEL_BRIDGE CHANNEL_UNBRIDGE CHANNEL_PROGRESS CHANNEL_PROGRESS_MEDIA
  CHANNEL_OUTGOING CHANNEL_PARK CHANNEL_UNPARK CHANNEL_APPLICATION CHANNEL_ORIGINATE CHANNEL_UUID API LOG INBOUND_CHAN OUTBOUND_CHAN STARTUP SHUTDOWN
  PUBLISH UNPUBLISH TALK NOTALK SESSION_CRASH MODULE_LOAD MODULE_UNLOAD DTMF MESSAGE PRESENCE_IN CODEC BACKGROUND_JOB DETECTED_SPEECH PRIVATE_COMMAND
  HEARTBEAT TRAP ADD_SCHEDULE DEL_SCHEDULE EXE_SCHEDULE RE_SCHEDULE RELOADXML NOTIFY RECORD_START RECORD_STOP PLAYBACK_START PLAYBACK_STOP CALL_UPDATE
  MEDIA_BUG_START MEDIA_BUG_STOP SHUTDOWN_REQUESTED ALL`.split(/\s+/),
);

interface Filter {
  header: string;
  value: string;
  isNegative: boolean;
}

const MAX_FILTERS = 1_024;

/**
 * Event subscriptions of one connection.
 *
 * Source: test/fixtures/esl/README.md §1 "event subscribe", "filter"
 */
export class Subscriptions {
  format: 'plain' | 'json' = 'plain';
  #names = new Set<string>();
  #subclasses = new Set<string>();
  #filters: Filter[] = [];

  /** `event plain A B CUSTOM c::d`: returns whether any keyword was known. */
  add(words: readonly string[]): boolean {
    const custom = words.findIndex(word => word.toUpperCase() === 'CUSTOM');
    const names = (custom === -1 ? words : words.slice(0, custom)).map(word => word.toUpperCase()).filter(word => EVENT_NAMES.has(word));
    for (const name of names) this.#names.add(name);
    // Every word after CUSTOM is a subclass, even the name of an event.
    if (custom !== -1) for (const word of words.slice(custom + 1)) this.#subclasses.add(word);
    return names.length > 0 || custom !== -1;
  }

  remove(words: readonly string[]): void {
    for (const word of words) {
      this.#names.delete(word.toUpperCase());
      this.#subclasses.delete(word);
    }
  }

  /** Whether there was anything to clear. */
  clear(): boolean {
    const had = this.#names.size + this.#subclasses.size > 0;
    this.#names.clear();
    this.#subclasses.clear();
    return had;
  }

  addFilter(header: string, value: string): void {
    if (this.#filters.length >= MAX_FILTERS) return;
    const isNegative = value.startsWith('-');
    this.#filters.push({ header, value: isNegative ? value.slice(1) : value, isNegative });
  }

  deleteFilter(header: string, value: string): void {
    this.#filters = header === 'all' ? [] : this.#filters.filter(one => one.header !== header || (value !== '' && one.value !== value));
  }

  has(name: string): boolean {
    return this.#names.has('ALL') || this.#names.has(name) || (name === 'CUSTOM' && this.#subclasses.size > 0);
  }

  wants(event: OutgoingEvent): boolean {
    const name = headerOf(event, 'Event-Name') ?? '';
    const isNamed = this.#names.has('ALL') || this.#names.has(name);
    const isSubclass = name === 'CUSTOM' && this.#subclasses.has(headerOf(event, 'Event-Subclass') ?? '');
    return (isNamed || isSubclass) && this.#passesFilters(event);
  }

  /** An event passes when a filter includes it and none excludes it; without filters every event passes. */
  #passesFilters(event: OutgoingEvent): boolean {
    if (this.#filters.length === 0) return true;
    const hits = this.#filters.filter(filter => matches(filter, headerOf(event, filter.header)));
    return hits.some(filter => !filter.isNegative) && !hits.some(filter => filter.isNegative);
  }
}

/** A pattern matches anywhere; a word matches the whole value and ignores case. */
function matches(filter: Filter, value: string | null): boolean {
  if (value === null) return false;
  const pattern = /^\/(.*)\/$/.exec(filter.value)?.[1];
  return pattern === undefined ? value.toLowerCase() === filter.value.toLowerCase() : new RegExp(pattern).test(value);
}
