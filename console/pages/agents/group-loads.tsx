import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import type { GroupLoadFragment } from './agent-board.generated.ts';
import styles from './board.module.css';

const COUNTS = [
  ['idle', 'IDLE'],
  ['ringing', 'RINGING'],
  ['talking', 'TALKING'],
  ['wrapUp', 'WRAP_UP'],
  ['busy', 'BUSY'],
  ['offline', 'OFFLINE'],
] as const;

/** The groups with their agents by state, and the calls that they watch against what they may; a group is the filter of the list below. */
export function GroupLoads({ groups }: { groups: readonly GroupLoadFragment[] | null }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.box}`} aria-label={t('groupLoad.title')}>
      <Title order={2}>{t('groupLoad.title')}</Title>
      {groups === null && <Skeleton height={84} />}
      {groups?.length === 0 && <Text className="quiet">{t('groupLoad.none')}</Text>}
      {groups && groups.length > 0 && (
        <div className={styles.groups} tabIndex={0} role="region" aria-label={t('groupLoad.table')}>
          <table className={styles.outlooks}>
            <thead>
              <tr>
                <th scope="col">{t('agentColumn.group')}</th>
                {COUNTS.map(([member, state]) => (
                  <th key={member} scope="col">
                    {t(`agentState.${state}`)}
                  </th>
                ))}
                <th scope="col">{t('agentColumn.watches')}</th>
              </tr>
            </thead>
            <tbody>
              {groups.map(group => (
                <Row key={group.groupId ?? ''} group={group} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ group }: { group: GroupLoadFragment }) {
  const { t } = useTranslation();
  const [chosen, choose] = useQueryState('group');
  const { groupId, name, watched, capacity } = group;
  const isChosen = groupId !== null && groupId === chosen;
  return (
    <tr data-now={isChosen || undefined}>
      <th scope="row">
        {groupId === null ? (
          <span className="quiet">{t('agents.noGroup')}</span>
        ) : (
          <button type="button" className="link" aria-pressed={isChosen} onClick={() => choose(isChosen ? '' : groupId)}>
            {name}
          </button>
        )}
      </th>
      {COUNTS.map(([member]) => (
        <td key={member} className={group[member] === 0 ? 'quiet' : undefined}>
          {formatCount(group[member])}
        </td>
      ))}
      <td className={capacity === 0 ? 'quiet' : watched >= capacity ? 'tone-waiting' : undefined}>{`${watched} / ${capacity}`}</td>
    </tr>
  );
}
