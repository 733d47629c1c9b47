import { Alert, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Instant } from '../../ui/instant.tsx';
import type { GatewayFragment } from './lines.generated.ts';

type State = GatewayFragment['state'];

const TONES: Record<State, string> = {
  REGISTERED: 'tone-answered',
  OPEN: 'tone-answered',
  TRYING: 'tone-waiting',
  UNKNOWN: 'tone-waiting',
  FAILED: 'tone-failed',
  MISSING: 'tone-failed',
};
/** States that need attention, worst first. */
const FAULTY = ['MISSING', 'FAILED', 'UNKNOWN', 'TRYING'] as const;
const WORST_FIRST: readonly State[] = [...FAULTY, 'OPEN', 'REGISTERED'];

interface GatewaysProps {
  gateways: readonly GatewayFragment[];
}

/** Registration of the line with its carrier as a label: the worst state of all cells. */
export function GatewayText({ gateways }: GatewaysProps) {
  const { t } = useTranslation();
  const [worst] = WORST_FIRST.filter(state => gateways.some(gateway => gateway.state === state));
  return worst ? <span className={TONES[worst]}>{t(`gatewayState.${worst}`)}</span> : <span className="quiet">{t('lines.noGateway')}</span>;
}

/** State of the gateway in each cell: since when, and what to do when calls cannot leave. */
export function GatewayFacts({ gateways }: GatewaysProps) {
  const { t } = useTranslation();
  if (gateways.length === 0) return null;
  const faulty = FAULTY.filter(state => gateways.some(gateway => gateway.state === state));
  return (
    <section aria-label={t('lines.gateway')}>
      <Table mb="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('lines.gateway')}</Table.Th>
            <Table.Th>{t('lines.cell')}</Table.Th>
            <Table.Th>{t('lines.registration')}</Table.Th>
            <Table.Th>{t('lines.since')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {gateways.map(({ cellId, name, state, since, detail }) => (
            <Table.Tr key={cellId}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{cellId}</Table.Td>
              <Table.Td>
                <span className={TONES[state]}>{t(`gatewayState.${state}`)}</span> <Detail of={detail} />
              </Table.Td>
              <Table.Td>
                <Instant at={since} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {faulty.map(state => (
        <Alert key={state} color={TONES[state] === 'tone-failed' ? 'red' : 'yellow'} title={t(`gatewayState.${state}`)} mb="sm">
          {t(`gatewayMend.${state}`)}
        </Alert>
      ))}
    </section>
  );
}

/** Switch states that the label already expresses in full. */
const SAID: ReadonlySet<string> = new Set(['REGED', 'NOREG']);

/** The switch's own state in words; an unknown state appears unchanged. */
function Detail({ of: name }: { of: string | null }) {
  const { t, i18n } = useTranslation();
  if (name === null || SAID.has(name)) return null;
  const key = `gatewayDetail.${name}`;
  return (
    <span className="quiet" title={name}>
      {i18n.exists(key) ? t(key) : name}
    </span>
  );
}
