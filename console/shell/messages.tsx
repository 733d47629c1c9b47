import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../form/use-commands.ts';
import { raiseAlarm } from '../live/alarm.ts';
import { useStream } from '../live/use-stream.ts';
import { formatTime } from '../text/format.ts';
import {
  type DeskMessageFragment,
  MarkMessageReadDocument,
  MyMessagesDocument,
  type MyMessagesSubscription,
} from './messages.generated.ts';
import styles from './shell.module.css';

/** Messages of supervisors to the user, on every page until they are read; a new one sounds as an alert does. */
export function Messages() {
  const { t } = useTranslation();
  const { state: messages, isThere } = useStream(MyMessagesDocument, { variables: {}, initial: [], reduce: withMessages });
  useAlarm(messages, isThere);
  if (messages.length === 0) return null;
  return (
    <ul className={styles.messages} role="alert" aria-label={t('agentMessage.received')}>
      {messages.map(message => (
        <Message key={message.messageId} message={message} />
      ))}
    </ul>
  );
}

function Message({ message: { messageId, text, sentBy, createdAt } }: { message: DeskMessageFragment }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const read = () => void run(MarkMessageReadDocument, { messageId }).catch(() => undefined);
  return (
    <li>
      <span>
        <b>{text}</b> <span className="quiet">{t('agentMessage.from', { name: sentBy, at: formatTime(createdAt) })}</span>
      </span>
      {/* It is never disabled: a button that explains itself would load tooltips with the first page. */}
      <Button size="compact-xs" variant="default" onClick={read}>
        {t('agentMessage.read')}
      </Button>
    </li>
  );
}

/** Sounds for a message that comes, not for those that were already there. */
function useAlarm(messages: readonly DeskMessageFragment[], isThere: boolean): void {
  const { t } = useTranslation();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!isThere) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...messages.map(({ messageId }) => messageId)]);
    const fresh = before && messages.find(({ messageId }) => !before.has(messageId));
    if (fresh)
      raiseAlarm({ title: t('agentMessage.title', { name: fresh.sentBy }), text: fresh.text, tag: 'message', open: () => undefined });
  }, [messages, isThere, t]);
}

function withMessages(
  before: readonly DeskMessageFragment[],
  { myMessages: event }: MyMessagesSubscription,
): readonly DeskMessageFragment[] {
  return event.__typename === 'Resync' ? before : event.messages;
}
