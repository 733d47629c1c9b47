import { useQuery } from '@apollo/client/react';
import { Button, Skeleton, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDecimal } from '../../text/format.ts';
import { ownTime } from '../../text/zone.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './call.module.css';
import { CallStepsDocument } from './steps.generated.ts';
import { type CallStep, useStepWords } from './step-words.ts';

/** Refresh interval of the last page of a call that has not ended, in ms. */
const LOOK_MS = 3_000;

/** Everything that the call and its take-over were told, and what was decided on it: for whoever asks why a call went as it did. */
export function StepByStep({ databaseId, isOpen }: { databaseId: string; isOpen: boolean }) {
  const { t } = useTranslation();
  const [pages, setPages] = useState<readonly number[]>([0]);
  const last = pages.at(-1);
  const goOn = (next: number) => setPages(now => [...now, next]);
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('steps.title')}>
      <Title order={2}>{t('steps.title')}</Title>
      <Text className="quiet" mb="sm">
        {t('steps.about')}
      </Text>
      <Table.ScrollContainer minWidth={760}>
        <Table verticalSpacing={6} className={styles.steps}>
          <Table.Thead>
            <Table.Tr>
              {(['since', 'actor', 'event', 'decisions', 'state'] as const).map(name => (
                <Table.Th key={name}>{t(`steps.column.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          {pages.map(after => (
            <Page key={after} id={databaseId} after={after} isGrowing={isOpen && after === last} goOn={after === last ? goOn : null} />
          ))}
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

interface PageProps {
  id: string;
  after: number;
  /** More steps may come. */
  isGrowing: boolean;
  /** Shows the next page; null when it is shown. */
  goOn: ((next: number) => void) | null;
}

function Page({ id, after, isGrowing, goOn }: PageProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery(CallStepsDocument, { variables: { id, after }, pollInterval: isGrowing ? LOOK_MS : 0 });
  const steps = data?.attempt?.steps;
  if (error) return <Footer content={<Notice error={error} />} />;
  if (!steps) return <Footer content={<Skeleton height={120} />} />;
  if (steps.total === 0) return <Footer content={<Text className="quiet">{t(isGrowing ? 'steps.notYet' : 'steps.none')}</Text>} />;
  const { next, missing } = steps;
  return (
    <>
      <Table.Tbody>
        {steps.rows.map(step => (
          <Row key={step.number} step={step} />
        ))}
      </Table.Tbody>
      {next !== null && goOn && (
        <Footer
          content={
            <Button variant="default" onClick={() => goOn(next)}>
              {t('steps.more')}
            </Button>
          }
        />
      )}
      {next === null && missing > 0 && (
        <Footer content={<Text className="quiet">{t('steps.missing', { count: missing, shown: formatCount(missing) })}</Text>} />
      )}
    </>
  );
}

function Footer({ content }: { content: ReactNode }) {
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Td colSpan={5}>{content}</Table.Td>
      </Table.Tr>
    </Table.Tbody>
  );
}

function Row({ step }: { step: CallStep }) {
  const { t } = useTranslation();
  const words = useStepWords();
  const more = words.detail(step);
  return (
    <Table.Tr>
      <Table.Td className={styles.since}>
        <time dateTime={step.at} title={ownTime(step.at)}>
          {t('steps.seconds', { seconds: formatDecimal(step.sinceMs / 1_000, 3) })}
        </time>
      </Table.Td>
      <Table.Td>{t(`steps.actor.${step.actor}`)}</Table.Td>
      <Table.Td>
        {words.event(step)}
        {more && (
          <Text size="xs" className="quiet">
            {more}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{step.decisions.map(words.decision).join(t('steps.and'))}</Table.Td>
      <Table.Td>
        {words.state(step)}
        {step.takeOver && (
          <Text size="xs" className="quiet">
            {words.takeOver(step.takeOver)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
