import { useQuery } from '@apollo/client/react';
import { Button, Group, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatMs, formatSeconds } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { instantIn, localIn } from '../../text/local-time.ts';
import { formatIn } from '../../text/zone.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ExplainPolicyDocument, type ExplainPolicyQuery } from './dialing-calendar.generated.ts';
import styles from './dialing-calendar.module.css';

const TYPING_MS = 300;
/** Refresh interval in ms when no time is entered and the check is for now. */
const LOOK_MS = 30_000;

interface DialTesterProps {
  campaignId: string | null;
  /** Business time zone of the entered time. */
  timeZone: string;
}

/** Checks whether a number would be called at a time, as the server would decide. */
export function DialTester({ campaignId, timeZone }: DialTesterProps) {
  const { t } = useTranslation();
  const [number, setNumber] = useQueryState('number');
  const [at, setAt] = useQueryState('at');
  const now = Math.floor(useNow(LOOK_MS) / LOOK_MS) * LOOK_MS;
  const [phoneNumber] = useDebouncedValue(number.trim(), TYPING_MS);
  const instant = (at && instantIn(timeZone, at)) || now;
  const { data, error } = useQuery(ExplainPolicyDocument, {
    variables: { campaignId, phoneNumber, at: new Date(instant).toISOString() },
    skip: phoneNumber === '',
    fetchPolicy: 'no-cache',
  });
  const verdict = phoneNumber === '' ? null : data?.explainPolicy;
  return (
    <section className={`sheet ${styles.tester}`} aria-labelledby="dial-tester">
      <Title order={2} id="dial-tester">
        {t('dialTester.title')}
      </Title>
      <div className={styles.fields}>
        <TextInput
          type="tel"
          label={t('dialTester.number')}
          placeholder="13800138000"
          maxLength={64}
          value={number}
          onChange={event => setNumber(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('dialTester.at', { zone: timeZone })}
          value={at || localIn(timeZone, now)}
          onChange={event => setAt(event.currentTarget.value)}
        />
        {at && (
          <Group>
            <Button variant="subtle" onClick={() => setAt('')}>
              {t('dialTester.now')}
            </Button>
          </Group>
        )}
      </div>
      <div aria-live="polite">
        {error ? (
          <Notice error={error} />
        ) : verdict ? (
          <Verdict verdict={verdict} timeZone={timeZone} hasCampaign={campaignId !== null} />
        ) : (
          <span className="quiet">{t('dialTester.about')}</span>
        )}
      </div>
    </section>
  );
}

interface VerdictProps {
  verdict: NonNullable<ExplainPolicyQuery['explainPolicy']>;
  timeZone: string;
  /** With a campaign, its call limits apply too. */
  hasCampaign: boolean;
}

function Verdict({ verdict, timeZone, hasCampaign }: VerdictProps) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { allowed, reason, skipReason, nextEligibleAt, matchedPolicies, effectiveLimits: limits } = verdict;
  return (
    <>
      <div className={`${styles.verdict} ${allowed ? 'tone-answered' : 'tone-failed'}`}>
        {allowed ? t('dialTester.yes') : t('dialTester.no', { reason: words(`notDialledReason.${skipReason}`, reason) })}
      </div>
      {!allowed && (
        <div>{nextEligibleAt ? t('dialTester.from', { at: formatIn(timeZone, nextEligibleAt) }) : t('dialTester.waitingDoesNotHelp')}</div>
      )}
      {matchedPolicies.length > 0 && (
        <div className="quiet">
          {t('dialTester.policies')}{' '}
          {matchedPolicies.map(({ id, databaseId, name }, index) => (
            <span key={id}>
              {index > 0 && t('policyWords.comma')}
              <Link to={{ search: `?policy=${databaseId}` }}>{name}</Link>
            </span>
          ))}
        </div>
      )}
      {hasCampaign && (
        <div className="quiet">
          {t('dialTester.limits', {
            concurrency: formatCount(limits.maxConcurrency),
            retries: formatCount(limits.maxRetries),
            every: formatSeconds(limits.retryIntervalSeconds),
            interval: formatMs(limits.callIntervalMs),
          })}
        </div>
      )}
    </>
  );
}
