import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '../../table/data-table.tsx';
import { formatCount, formatSeconds, formatShare } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { AgentActivity } from './agent-activity.tsx';
import type { BoardLine } from './board-lines.ts';
import { type LineActs, LineMenu } from './line-menu.tsx';
import { useBreakReason } from './use-break-reason.ts';

const NONE = <span className="quiet">–</span>;

/** Columns of a supervisor: agent, state and since when, customer, the day, and actions. */
export function useLineColumns(acts: LineActs, hasGroups: boolean): Column<BoardLine>[] {
  const { t } = useTranslation();
  const breakReasonOf = useBreakReason();
  const column = (key: string, width: string, cell: Column<BoardLine>['cell']) => ({ key, header: t(`agentColumn.${key}`), width, cell });
  const figure = (key: string, width: string, draw: (day: NonNullable<BoardLine['day']>) => string) => ({
    ...column(key, width, ({ day }) => (day === null ? NONE : draw(day))),
    isNumber: true,
  });
  return [
    { key: 'name', header: t('agentColumn.name'), cell: line => <Name line={line} /> },
    column('activity', '190px', ({ agent }) =>
      agent === null ? NONE : <AgentActivity agent={agent} breakReason={breakReasonOf(agent)} mayEnd />,
    ),
    column('customer', '140px', line => <CallLink line={line} />),
    {
      ...column('watches', '76px', ({ monitor }) => (monitor === null ? NONE : `${monitor.watched} / ${monitor.capacity}`)),
      isNumber: true,
    },
    figure('calls', '84px', ({ callsHandled }) => formatCount(callsHandled)),
    figure('talk', '80px', ({ talkSeconds }) => formatSeconds(talkSeconds)),
    figure('wrapUp', '80px', ({ wrapUpSeconds }) => formatSeconds(wrapUpSeconds)),
    figure('occupancy', '104px', ({ occupancy }) => (occupancy === null ? '–' : formatShare(occupancy))),
    ...(hasGroups ? [column('group', '100px', ({ agent }) => agent?.group?.name)] : []),
    column('act', '112px', line => <LineMenu line={line} acts={acts} />),
  ];
}

/** The name, and what keeps the phone from ringing. */
function Name({ line: { agent, monitor } }: { line: BoardLine }) {
  const { t } = useTranslation();
  if (agent === null)
    return (
      <>
        <b>{monitor?.displayName}</b> <span className="quiet">{t('agentBoard.noAgent')}</span>
      </>
    );
  const { name, isEnabled, phoneExtension, registrationStatus } = agent;
  return (
    <>
      <b>{name}</b> <span className="quiet">{isEnabled ? phoneExtension : t('noun.disabled')}</span>
      {isEnabled && registrationStatus !== 'REGISTERED' && (
        <>
          {' '}
          <span className="tone-failed">{t(`registration.${registrationStatus}`)}</span>
        </>
      )}
    </>
  );
}

/** The customer of the call, as the link that opens it; the number shows where there is no name, and on the pointer. */
function CallLink({ line: { agent, call } }: { line: BoardLine }) {
  const { t } = useTranslation();
  const key = agent?.currentCallKey;
  if (!key) return null;
  const path = call?.softphoneCallId ? `/agents/calls?open=${call.softphoneCallId}` : `/live?call=${encodeURIComponent(key)}`;
  const customer = call && [call.customerName, formatPhone(call.phoneNumber)].filter(Boolean).join(' ');
  return (
    <Link to={path} title={customer ?? undefined}>
      {call?.customerName || formatPhone(call?.phoneNumber ?? '') || t('agentBoard.inCall')}
    </Link>
  );
}
