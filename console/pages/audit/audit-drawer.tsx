import { useQuery } from '@apollo/client/react';
import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { OPEN } from '../../form/noun-page.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { AuditLogDocument, type AuditRowFragment } from './audit.generated.ts';
import { useAuditWords } from './audit-words.ts';
import { Changes } from './changes.tsx';

/** Page of each kind of object. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  campaign: id => `/campaigns/${id}`,
  attempt: id => `/calls/${id}`,
  line: id => `/lines?open=${id}`,
  agent: id => `/agents?open=${id}`,
  agent_group: id => `/groups?open=${id}`,
  user: id => `/users?open=${id}`,
  policy: id => `/rules?open=${id}`,
  script: id => `/scripts/${id}`,
};

/** One row of the audit log: actor, address and changes. */
export function AuditDrawer({ rows }: { rows: readonly AuditRowFragment[] }) {
  const { t } = useTranslation();
  const { actionOf } = useAuditWords();
  const [open, setOpen] = useQueryState(OPEN);
  const listed = rows.find(({ databaseId }) => databaseId === open);
  const { data } = useQuery(AuditLogDocument, { variables: { id: `AuditLog:${open}` }, skip: open === '' || listed !== undefined });
  const asked = data?.node?.__typename === 'AuditLog' ? data.node : undefined;
  const row = listed ?? asked;
  return (
    <SideDrawer isOpen={open !== ''} close={() => setOpen('')} size="lg" title={row ? actionOf(row.action) : t('audit.one')}>
      {!row && (data ? <Text>{t('noun.gone')}</Text> : <Skeleton height={200} />)}
      {row && <Row row={row} />}
    </SideDrawer>
  );
}

function Row({ row }: { row: AuditRowFragment }) {
  const { t } = useTranslation();
  const { targetOf, whoOf, summaryOf } = useAuditWords();
  const { actorId, actorName, targetType, targetId, ip, requestId, createdAt } = row;
  const summary = summaryOf(row);
  const page = targetId === null ? undefined : PAGES[targetType]?.(targetId);
  const target = targetOf(row);
  return (
    <>
      {summary && <Text mb="md">{summary}</Text>}
      <Facts
        facts={[
          [t('audit.at'), <Instant key="at" at={createdAt} />],
          [
            t('audit.who'),
            <>
              <Link to={`/audit?who=${encodeURIComponent(actorName)}`}>{whoOf(row)}</Link>
              {actorId === null && <span className="quiet"> · {t('audit.program')}</span>}
            </>,
          ],
          [
            t('audit.target'),
            <>
              {page ? <Link to={page}>{target}</Link> : target}
              {targetId && (
                <>
                  {' · '}
                  <Link to={`/audit?type=${targetType}&id=${encodeURIComponent(targetId)}`}>{t('noun.history')}</Link>
                </>
              )}
            </>,
          ],
          [t('audit.ip'), ip],
          [t('audit.trace'), requestId],
        ]}
      />
      <Changes targetType={targetType} targetId={targetId} detail={row.detail} />
    </>
  );
}
