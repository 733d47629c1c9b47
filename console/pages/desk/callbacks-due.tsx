import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { personOf } from '../callbacks/callback-words.tsx';
import type { CallbackRowFragment } from '../callbacks/callbacks.generated.ts';
import { useCalendar } from '../callbacks/use-calendar.ts';
import { KeepCallbackDocument } from './desk.generated.ts';
import styles from './desk.module.css';

/** Callbacks that the desk has room for. */
const MOST_SHOWN = 8;

interface DueProps {
  agentId: string;
  changed: () => void;
}

/** The calls that the user's agent has promised, the next one first; one click calls. */
export function CallbacksDue({ agentId, changed }: DueProps) {
  const { t } = useTranslation();
  const { callbacks, total } = useCalendar({ agentId, status: 'PROMISED' }, MOST_SHOWN);
  const { run, isBusy, refused } = useAct();
  const call = ({ contactId }: CallbackRowFragment) =>
    void run(KeepCallbackDocument, { agentId, input: { contactId } }, t('desk.calling')).then(changed);
  return (
    <section className={`sheet ${styles.box}`} aria-label={t('desk.callbacks')}>
      <Title order={2}>{t('desk.callbackCount', { count: total ?? 0 })}</Title>
      {total === null && <Skeleton height={48} />}
      {total === 0 && <Text className="quiet">{t('desk.noCallbacks')}</Text>}
      {refused && (
        <Text role="alert" size="sm" className="tone-failed">
          {refused}
        </Text>
      )}
      <ol className={styles.list}>
        {callbacks.map(callback => (
          <Due key={callback.id} callback={callback} isBusy={isBusy} call={() => call(callback)} />
        ))}
      </ol>
    </section>
  );
}

/** How often lateness is looked at, in ms. */
const LATE_MS = 10_000;

function Due({ callback, isBusy, call }: { callback: CallbackRowFragment; isBusy: boolean; call: () => void }) {
  const { t } = useTranslation();
  const now = useNow(LATE_MS);
  const { dueAt, note, contact } = callback;
  const isLate = Date.parse(dueAt) <= now;
  return (
    <li>
      <span>
        {contact ? <Link to={personPath(contact.phoneNumber)}>{personOf(callback)}</Link> : t('callbacks.gone')}
        <Text size="xs" className={isLate ? 'tone-waiting' : 'quiet'}>
          <Instant at={dueAt} />
          {note && ` · ${note}`}
        </Text>
      </span>
      {contact && (
        <ActButton size="compact-xs" variant={isLate ? 'filled' : 'default'} loading={isBusy} act={call}>
          {t('desk.callNow')}
        </ActButton>
      )}
    </li>
  );
}
