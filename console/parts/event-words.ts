import { useTranslation } from 'react-i18next';
import { useServerWords } from '../text/server-words.ts';
import { currentLanguage } from '../text/text.ts';
import { NAMED_OF_EVENTS } from './named-of-events.ts';

/** What an event tells of itself. */
export interface ToldEvent {
  type: string;
  /** In Chinese. */
  title: string;
  /** More, of the type. */
  detail: unknown;
  cellId: string | null;
}

/** By name what the text `eventTold.<type>` names; null: the event has not all of it, or its type names nothing. */
export function toldOf({ type, detail, cellId }: Omit<ToldEvent, 'title'>): Record<string, string> | null {
  const values: Record<string, unknown> = { ...(detail as object | null), cellId };
  const named = NAMED_OF_EVENTS[type] ?? [];
  const isTold = named.length > 0 && named.every(name => (values[name] ?? '') !== '');
  return isTold ? Object.fromEntries(named.map(name => [name, String(values[name])])) : null;
}

/** Told in the console's words in Chinese, too: the server's say less. */
const TOLD_ALWAYS: ReadonlySet<string> = new Set(['intent.alert']);

/** What an event says in one line: the server's own words, or as much of them in the reader's language. */
export function useEventWords(): (event: ToldEvent) => string {
  const { t } = useTranslation();
  const words = useServerWords();
  return event => {
    const told = currentLanguage() === 'zh' && !TOLD_ALWAYS.has(event.type) ? null : toldOf(event);
    return told ? t(`eventTold.${event.type}`, told) : words(`eventType.${event.type}`, event.title);
  };
}

/** That what an event tells of is over: a call ended, whatever else is there again. */
export function useOverWords(): (event: Pick<ToldEvent, 'type'>, at: string) => string {
  const { t } = useTranslation();
  return ({ type }, at) => t(type.endsWith('.down') ? 'eventOver.back' : 'eventOver.callEnded', { at });
}

interface AboutEvent extends Pick<ToldEvent, 'cellId'> {
  campaign: { name: string } | null;
  attempt: { phoneNumber: string; contact: { customerName: string } | null } | null;
}

/** Whom and what it concerns: the person, the campaign, else the switch cell. */
export function aboutOf({ attempt, campaign, cellId }: AboutEvent): string {
  const who = [attempt?.contact?.customerName, attempt?.phoneNumber].filter(Boolean).join(' ');
  return [who, campaign?.name].filter(Boolean).join(' · ') || (cellId ?? '');
}
