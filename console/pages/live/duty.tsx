import { Popover, Switch, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { usePresence } from '../../live/use-presence.ts';
import styles from './live.module.css';

/** Whether the user is on duty, and the capacity of the monitors. */
export function Duty({ campaignId }: { campaignId: string }) {
  const { user } = useMe();
  return user ? <MyDuty userId={user.databaseId} campaignId={campaignId} /> : null;
}

function MyDuty({ userId, campaignId }: { userId: string; campaignId: string }) {
  const { t } = useTranslation();
  const { isOnDuty, capacity, problem, goOn, goOff } = usePresence(userId, campaignId);
  return (
    <div className={styles.duty}>
      {problem && (
        <Text span size="xs" className="tone-failed" role="alert">
          {problem}
        </Text>
      )}
      {capacity && (
        <Popover position="bottom-end" width={300} withArrow>
          <Popover.Target>
            <UnstyledButton fz="xs" className={capacity.mine === 0 ? 'tone-waiting' : 'quiet'}>
              {t(capacity.mine === 0 ? 'duty.noRoom' : 'duty.room', { ...capacity })}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <Text size="sm">{t('duty.explained', { ...capacity })}</Text>
            {capacity.mine === 0 && <Text size="sm">{t('duty.whyNone')}</Text>}
            <Link to="/agents/board">{t('duty.toBoard')}</Link>
          </Popover.Dropdown>
        </Popover>
      )}
      <Switch label={t('duty.onDuty')} checked={isOnDuty} onChange={event => (event.currentTarget.checked ? goOn() : goOff())} />
    </div>
  );
}
