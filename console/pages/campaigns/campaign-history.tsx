import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useTurned } from '../audit/audit-values.ts';
import type { OpenCampaignFragment } from './campaign.generated.ts';
import styles from './campaign.module.css';

type Moment = OpenCampaignFragment['history'][number];
type Stretch = { state: State; from: number; until: number };

const STATES = {
  CREATED: 'DRAFT',
  STARTED: 'RUNNING',
  PAUSED: 'PAUSED',
  BLOCKED: 'BLOCKED',
  COMPLETED: 'COMPLETED',
  ARCHIVED: 'ARCHIVED',
} as const;
type State = (typeof STATES)[keyof typeof STATES];

/** How many moments the list below the strip shows. */
const TOLD = 8;
const LOOK_MS = 10_000;

/** The campaign's statuses over time as a strip, and the actions of users and of the campaign itself. */
export function History({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const now = useNow(LOOK_MS);
  const turned = useTurned('campaign');
  const { history } = campaign;
  const stretches = stretchesOf(history, now);
  const whole = (stretches.at(-1)?.until ?? 0) - (stretches[0]?.from ?? 0);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.history')}
      </Title>
      {whole > 0 && (
        <div className={styles.strip} role="img" aria-label={stretches.map(each => t(`campaign.state.${each.state}`)).join(' → ')}>
          {stretches.map(({ state, from, until }) => (
            <span
              key={from}
              className={styles[`state${state}`]}
              title={`${t(`campaign.state.${state}`)} · ${formatDateTime(from)} – ${formatDateTime(until)}`}
              style={{ flexGrow: (until - from) / whole }}
            />
          ))}
        </div>
      )}
      <ol className={styles.moments}>
        {history.slice(0, TOLD).map(moment => (
          <li key={`${moment.at} ${moment.kind} ${moment.line}`}>
            <span className="quiet">
              <Instant at={moment.at} />
            </span>
            <span>
              {t(`campaign.moment.${moment.kind}`, { count: moment.rows?.createdRows ?? 0, line: moment.line })}
              {moment.by && <span className="quiet"> · {moment.by}</span>}
              {moment.changes.map(change => (
                <Text key={change.field} size="sm">
                  {turned(change)}
                </Text>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Moments that change the status, oldest first, each lasting until the next. */
function stretchesOf(history: readonly Moment[], now: number): Stretch[] {
  const moves = history
    .toReversed()
    .flatMap(({ kind, at }) => (kind in STATES ? [{ state: STATES[kind as keyof typeof STATES], from: Date.parse(at) }] : []));
  return moves.map((move, index) => ({ ...move, until: moves[index + 1]?.from ?? Math.max(now, move.from) }));
}
