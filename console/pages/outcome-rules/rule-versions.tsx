import { useQuery } from '@apollo/client/react';
import { Button, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSlice } from '../../table/use-rows.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OutcomeRuleVersionsDocument, type OutcomeRuleVersionsQuery, type RuleTableFragment } from './outcome-rules.generated.ts';
import styles from './outcome-rules.module.css';

type Version = NonNullable<OutcomeRuleVersionsQuery['outcomeRuleVersions']>['nodes'][number];

interface RuleVersionsProps {
  campaignId: string | null;
  /** Puts the table of a version into the editor. */
  take: (rules: RuleTableFragment) => void;
  disabledReason: string | null;
}

/** Earlier versions of the rules, newest first, each of which can be put into the editor. */
export function RuleVersions({ campaignId, take, disabledReason }: RuleVersionsProps) {
  const { t } = useTranslation();
  const { data, error, fetchMore } = useQuery(OutcomeRuleVersionsDocument, { variables: { campaignId } });
  const { rows, loadMore } = useSlice(data?.outcomeRuleVersions, fetchMore);
  if (error) return <Notice error={error} />;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="rule-versions">
      <Title order={3} id="rule-versions" mt="md">
        {t('outcomeRules.versions')}
      </Title>
      <ol className={styles.versions}>
        {rows.map(version => (
          <li key={version.id}>
            <VersionLine version={version} />
            {version.rules && disabledReason === null && (
              <Button variant="subtle" size="compact-sm" onClick={() => version.rules && take(version.rules)}>
                {t('outcomeRules.take', { version: version.version })}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {loadMore && (
        <Button variant="default" size="compact-sm" onClick={loadMore}>
          {t('outcomeRules.older')}
        </Button>
      )}
    </section>
  );
}

function VersionLine({ version: { version, author, createdAt, inherits, rules } }: { version: Version }) {
  const { t } = useTranslation();
  const what = rules ? 'rules' : inherits ? 'inherits' : 'none';
  return (
    <span>
      {t('outcomeRules.versionOf', { version })} · {t(`outcomeRules.versionSays.${what}`, { count: rules?.rules.length ?? 0 })}
      <span className="quiet">
        {author === null ? '' : ` · ${author}`} · <Instant at={createdAt} />
      </span>
    </span>
  );
}
