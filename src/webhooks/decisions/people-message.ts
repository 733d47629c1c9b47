import { localTimeAt } from '#kernel/calendar.ts';
import type { JsonObject } from '#kernel/json.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from './event-catalogue.ts';

/** A message to a chat group or a mailbox. */
export interface PeopleMessage {
  title: string;
  text: string;
  link: string | null;
}

export interface ListedEvent {
  type: WebhookEventType;
  /** UTC ms. */
  at: number;
  data: JsonObject;
}

/** Events that one message lists; of more it says how many. */
const MAX_LISTED = 10;
const MAX_LINE_LENGTH = 300;

/**
 * One message for what happened together: alerts come in floods, and robots take some 20 messages a minute.
 *
 * Source: D15.6
 */
export function messageOf(events: readonly ListedEvent[], zone: string): PeopleMessage {
  const [only, ...others] = events;
  if (only && others.length === 0) return messageOfOne(only, zone);
  const lines = events.slice(0, MAX_LISTED).map(event => lineOf(event, zone));
  const more = events.length - lines.length;
  const rest = more > 0 ? [`……另有 ${more} 条`] : [];
  return { title: `${events.length} 条通知`, text: [...lines, ...rest].join('\n'), link: null };
}

function messageOfOne({ type, at, data }: ListedEvent, zone: string): PeopleMessage {
  const { title, text, link } = wordsOf(type, data);
  return { title, text: [text, placeOf(data), timeText(at, zone)].filter(part => part !== '').join('\n'), link };
}

function lineOf({ type, at, data }: ListedEvent, zone: string): string {
  const { title, text } = wordsOf(type, data);
  const line = [timeText(at, zone), title, text.split('\n')[0] ?? ''].filter(part => part !== '').join(' ');
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;
}

function wordsOf(type: WebhookEventType, data: JsonObject): PeopleMessage {
  const { zh, from } = WEBHOOK_EVENTS[type];
  if (from === 'runtimeEvent')
    return { title: `${LEVELS[textOf(data.level)] ?? ''}${textOf(data.title)}`, text: textOf(data.message), link: null };
  if (from === 'own') return { title: textOf(data.title), text: textOf(data.text), link: linkOf(data.link) };
  return { title: zh, text: aboutOf(data), link: null };
}

const LEVELS: Readonly<Record<string, string>> = { warning: '【警告】', error: '【严重】' };

/** A group of people sees no number. */
function aboutOf({ title, phoneNumber, customerName, note, reason, state }: JsonObject): string {
  const number = textOf(phoneNumber);
  const tail = number === '' ? '' : `尾号 ${number.slice(-4)}`;
  return [title, customerName, tail, note, reason, state]
    .map(textOf)
    .filter(part => part !== '')
    .join(' ');
}

function placeOf({ campaignName }: JsonObject): string {
  const name = textOf(campaignName);
  return name === '' ? '' : `活动：${name}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const linkOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const two = (number: number): string => String(number).padStart(2, '0');

function timeText(at: number, zone: string): string {
  const { day, minute } = localTimeAt(zone, at);
  const date = new Date(day * 86_400_000).toISOString().slice(5, 10);
  return `${date} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
