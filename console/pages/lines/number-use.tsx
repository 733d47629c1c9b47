import { useQuery } from '@apollo/client/react';
import { Alert, Group, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime, formatShare } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { AnswerPicture } from './answer-picture.tsx';
import { LineNumbersDocument, type NumberUseRowFragment, RestLineNumberDocument, ResumeLineNumberDocument } from './lines.generated.ts';

/** Refresh interval, in ms. */
const LOOK_MS = 10_000;
const REST_HOURS = 24;

/** The dials of each number of a line, how often it is answered beside the others, and whether it rests. */
export function NumberUseFacts({ lineId }: { lineId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(LineNumbersDocument, { variables: { id: lineId }, pollInterval: LOOK_MS });
  const numbers = data?.line?.numberUse ?? [];
  const act = useAct();
  if (numbers.length === 0) return null;
  return (
    <section aria-label={t('numberUse.title')}>
      <Table mb="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('lines.pool.number')}</Table.Th>
            <Table.Th>{t('numberUse.lastHour')}</Table.Th>
            <Table.Th>{t('numberUse.today')}</Table.Th>
            <Table.Th>{t('numberUse.answers')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbers.map(use => (
            <NumberRow key={use.numberId} lineId={lineId} use={use} act={act} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mb="sm">
        {t('numberUse.legend')}
      </Text>
      {act.refused && (
        <Alert color="red" role="alert" mb="sm">
          {act.refused}
        </Alert>
      )}
    </section>
  );
}

interface NumberRowProps {
  lineId: string;
  use: NumberUseRowFragment;
  act: ReturnType<typeof useAct>;
}

function NumberRow({ lineId, use, act }: NumberRowProps) {
  const { t } = useTranslation();
  const { number, province, city, dialsLastHour, hourlyCap, dialsToday, dailyCap, restingUntil, alarm } = use;
  const place = [province, city === province ? null : city].filter(Boolean).join(' ');
  return (
    <>
      <Table.Tr>
        <Table.Td>
          {formatPhone(number)}
          {place && (
            <Text size="xs" c="dimmed">
              {place}
            </Text>
          )}
          {restingUntil && (
            <Text size="xs" className="tone-waiting">
              {t('numberUse.restingUntil', { at: formatDateTime(restingUntil) })}
            </Text>
          )}
        </Table.Td>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>{used(dialsLastHour, hourlyCap)}</Table.Td>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>{used(dialsToday, dailyCap)}</Table.Td>
        <Table.Td>
          <Answers use={use} />
        </Table.Td>
        <Table.Td>
          <NumberActs lineId={lineId} use={use} act={act} />
        </Table.Td>
      </Table.Tr>
      {alarm && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <Alert color="yellow" title={t(`numberUse.alarm.${alarm.action}`)}>
              {t('numberUse.evidence', {
                since: formatDateTime(alarm.since),
                dials: formatCount(alarm.dials),
                answered: formatCount(alarm.answered),
                expected: formatCount(Math.round(alarm.expected)),
              })}
            </Alert>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function used(dials: number, cap: number | null | undefined): string {
  return cap == null ? formatCount(dials) : `${formatCount(dials)} / ${formatCount(cap)}`;
}

/** Answer rate of the last 48 hours beside that of the others. */
function Answers({ use: { number, hours } }: Pick<NumberRowProps, 'use'>) {
  const { t } = useTranslation();
  const sum = (of: (hour: (typeof hours)[number]) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const dials = sum(hour => hour.dials);
  if (dials === 0) return <span className="quiet">–</span>;
  const [own, others] = [sum(hour => hour.answered) / dials, sum(hour => hour.expected) / dials];
  return (
    <>
      {formatShare(own)} <span className="quiet">{t('numberUse.others', { share: formatShare(others) })}</span>
      <AnswerPicture label={t('numberUse.pictureOf', { number, own: formatShare(own), others: formatShare(others) })} hours={hours} />
    </>
  );
}

function NumberActs({ lineId, use: { numberId, number, restingUntil, alarm }, act }: NumberRowProps) {
  const { t } = useTranslation();
  const reason = useDisabledReason('line:write');
  const rest = () => void act.run(RestLineNumberDocument, { lineId, numberId, hours: REST_HOURS }, t('numberUse.rested', { number }));
  const resume = () => void act.run(ResumeLineNumberDocument, { lineId, numberId }, t('numberUse.resumed', { number }));
  const button = { variant: 'default', size: 'compact-sm', reason, loading: act.isBusy } as const;
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {!restingUntil && (
        <ActButton {...button} act={rest}>
          {t('numberUse.rest')}
        </ActButton>
      )}
      {(restingUntil || alarm) && (
        <ActButton {...button} act={resume}>
          {t(restingUntil ? 'numberUse.resume' : 'numberUse.goOn')}
        </ActButton>
      )}
    </Group>
  );
}
