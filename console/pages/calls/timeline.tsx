import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerWords } from '../../text/server-words.ts';
import { currentLanguage } from '../../text/text.ts';
import { Instant } from '../../ui/instant.tsx';
import { parametersOf } from '../runtime-events/event-words.ts';
import { controlKeyOf } from '../runtime-events/named-of-events.ts';
import type { CallQuery } from './call.generated.ts';
import styles from './call.module.css';
import { HangupCause } from './call-words.tsx';

type Call = NonNullable<CallQuery['attempt']>;
type CallEvent = Call['timeline'][number];

interface Step {
  at: string;
  /** Kind of the event, or NODE for a script node that the call reached. */
  kind: CallEvent['kind'] | 'NODE';
  title: string;
  more?: ReactNode;
}

/** Timeline of the call from the claim to the result; the transcript is beside it. */
export function Timeline({ call }: { call: Call }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.timeline')}>
      <Title order={2} mb="xs">
        {t('call.timeline')}
      </Title>
      <ol className={styles.timeline}>
        {useSteps(call).map(({ at, kind, title, more }, index) => (
          // The events of a call never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className={styles[kind]}>
            <span className="quiet">
              <Instant at={at} isOfDay />
            </span>
            <span>
              {title}
              {more && (
                <Text size="xs" className="quiet" component="span" display="block">
                  {more}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function useSteps(call: Call): Step[] {
  const { t } = useTranslation();
  const intervened = useIntervened();
  const names = nodeNamesOf(call);
  const ended = call.hangupBy && !call.userHangup ? t('callEvent.ENDED_BY', { who: t(`hangupBy.${call.hangupBy}`) }) : t('callEvent.ENDED');
  const stepOf = (event: CallEvent): Step => {
    const { at, kind, text } = event;
    if (kind === 'EVENT') return { at, kind, ...intervened(event) };
    if (kind === 'SEGMENT') return { at, kind: 'NODE', title: t('callEvent.NODE', { name: names[nodeOf(event)] || nodeOf(event) }) };
    if (kind === 'JOINED' || kind === 'LEFT') {
      const { role = '', mode = '' } = Object(event.detail) as PersonDetail;
      const title = t(`callEvent.${kind}`, { role: t(`legRole.${role.toUpperCase()}`), who: text });
      return { at, kind, title, more: kind === 'JOINED' && mode && t(`legMode.${mode.toUpperCase()}`) };
    }
    if (kind === 'ENDED') return { at, kind, title: ended, more: text && <HangupCause cause={text} isShort /> };
    const title = t(`callEvent.${kind}`);
    if (kind === 'CLAIMED') return { at, kind, title, more: text && t('callEvent.from', { number: text }) };
    if (kind === 'RESULT') return { at, kind, title, more: text && t(`callStatus.${text.toUpperCase()}`) };
    // The switch's reply to a dial adds nothing to the line after it.
    return { at, kind, title, more: kind === 'DIALING' && text };
  };
  return turnsOf(call.timeline).map(stepOf);
}

/** Words for an intervention by the server or a user. */
function useIntervened(): (event: CallEvent) => Pick<Step, 'title' | 'more'> {
  const { t } = useTranslation();
  const words = useServerWords();
  return ({ text, detail }) => {
    const { type = '', message = '', detail: more, agentName, userName } = Object(detail) as EventDetail;
    const control = controlKeyOf(type, more);
    if (control) return { title: t(control, { ...more, ...(userName && { by: userName }) }) };
    const parameters = parametersOf({ type, detail: { ...more, agentName, ...(userName && { by: userName }) }, cellId: null });
    if (parameters) return { title: t(`eventTold.${type}`, parameters) };
    return { title: words(`eventType.${type}`, text), more: currentLanguage() === 'zh' && message };
  };
}

interface EventDetail {
  type?: string;
  /** Message in Chinese. */
  message?: string;
  detail?: object;
  /** Agent who joined the call. */
  agentName?: string | null;
  /** Display name of the user who acted; null when there is only the user name. */
  userName?: string | null;
}

/** Detail of an event by which an agent joined, in the server's words. */
interface PersonDetail {
  role?: string;
  mode?: string | null;
}

/** Event that repeats a `JOINED` event, which names the agent. */
const SOMEBODY_JOINED = 'intervention.active';

function isToldTwice({ kind, detail }: CallEvent, all: readonly CallEvent[]): boolean {
  return kind === 'EVENT' && (Object(detail) as EventDetail).type === SOMEBODY_JOINED && all.some(other => other.kind === 'JOINED');
}

/** Drops the events of utterances, which the transcript shows, except where the script moved to another node. */
function turnsOf(events: readonly CallEvent[]): CallEvent[] {
  let last = '';
  return events.filter(event => {
    if (event.kind !== 'SEGMENT') return !isToldTwice(event, events);
    const node = nodeOf(event);
    const isNew = node !== '' && node !== last;
    if (isNew) last = node;
    return isNew;
  });
}

function nodeOf({ detail }: CallEvent): string {
  return (Object(detail) as { nodeId?: string | null }).nodeId ?? '';
}

function nodeNamesOf({ savedScript }: Call): Readonly<Record<string, string>> {
  return (savedScript?.nodeNames ?? {}) as Record<string, string>;
}
