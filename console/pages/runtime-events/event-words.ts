import { useTranslation } from 'react-i18next';
import { formatPhone } from '../../text/phone-number.ts';
import { useServerWords } from '../../text/server-words.ts';
import { currentLanguage } from '../../text/text.ts';
import { controlKeyOf, NAMED_OF_EVENTS } from './named-of-events.ts';

/** The parts of an event from which its words are formed. */
export interface WordedEvent {
  type: string;
  /** In Chinese. */
  title: string;
  /** Details by event type. */
  detail: unknown;
  cellId: string | null;
}

/** Values of the placeholders in the text `eventTold.<type>`; null when the event lacks one of them, or its type has none. */
export function parametersOf({ type, detail, cellId }: Omit<WordedEvent, 'title'>): Record<string, string> | null {
  const values: Record<string, unknown> = { ...(detail as object | null), cellId };
  const named = NAMED_OF_EVENTS[type] ?? [];
  const isTold = named.length > 0 && named.every(name => (values[name] ?? '') !== '');
  return isTold ? Object.fromEntries(named.map(name => [name, String(values[name])])) : null;
}

/** Types whose console text is used in Chinese too, because the server's text says less. */
const ALWAYS_TRANSLATED: ReadonlySet<string> = new Set(['intent.alert']);

/** An event in one line: the server's own words, or their translation as far as the details allow. */
export function useEventWords(): (event: WordedEvent) => string {
  const { t } = useTranslation();
  const words = useServerWords();
  return event => {
    const control = controlKeyOf(event.type, event.detail);
    if (control) return t(control, Object(event.detail) as Record<string, string>);
    const parameters = currentLanguage() === 'zh' && !ALWAYS_TRANSLATED.has(event.type) ? null : parametersOf(event);
    return parameters ? t(`eventTold.${event.type}`, parameters) : words(`eventType.${event.type}`, event.title);
  };
}

/** Says when the situation that an event reported ended: a call has ended, anything else has recovered. */
export function useOverWords(): (event: Pick<WordedEvent, 'type'>, at: string) => string {
  const { t } = useTranslation();
  return ({ type }, at) => t(type.endsWith('.down') ? 'eventOver.back' : 'eventOver.callEnded', { at });
}

interface AboutEvent extends Pick<WordedEvent, 'cellId'> {
  campaign: { name: string } | null;
  attempt: { phoneNumber: string; contact: { customerName: string } | null } | null;
}

/** Subject of an event: the customer, else the campaign, else the switch cell. */
export function aboutOf({ attempt, campaign, cellId }: AboutEvent): string {
  const who = [attempt?.contact?.customerName, attempt && formatPhone(attempt.phoneNumber)].filter(Boolean).join(' ');
  return [who, campaign?.name].filter(Boolean).join(' · ') || (cellId ?? '');
}
