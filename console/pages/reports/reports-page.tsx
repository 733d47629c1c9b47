import { Button, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { Notice } from '../../ui/notice.tsx';
import { sortedRows } from './answer.ts';
import { AnswerView } from './answer-view.tsx';
import { QuestionBar } from './question-bar.tsx';
import { ReadyMadeBar } from './ready-made-bar.tsx';
import { SavedReports } from './saved-reports.tsx';
import styles from './reports.module.css';
import { useAnswer, useReportRange } from './use-answer.ts';
import { useQuestion } from './use-question.ts';

/** A question about calls, asked through the address and answered as totals, a chart and a table at once. */
export function ReportsPage() {
  const { t } = useTranslation();
  const { user } = useMe();
  const { question } = useQuestion();
  const { answer, isLoading, error } = useAnswer(question);
  const rows = useMemo(() => (answer ? sortedRows(answer, question.sort) : []), [answer, question.sort]);
  return (
    <div className={styles.stack}>
      <ReadyMadeBar />
      <SavedReports />
      <QuestionBar />
      {user?.role === 'AGENT' && <Text className="quiet">{t('reports.ownOnly')}</Text>}
      {error && <Notice error={error} />}
      {!error && <Body answer={answer} rows={rows} isLoading={isLoading} />}
    </div>
  );
}

function Body({
  answer,
  rows,
  isLoading,
}: {
  answer: ReturnType<typeof useAnswer>['answer'];
  rows: ReturnType<typeof sortedRows>;
  isLoading: boolean;
}) {
  const { t } = useTranslation();
  const range = useReportRange();
  const { question, ask } = useQuestion();
  if (range === null) return <Hint text={t('reports.noRange')} />;
  if (question.report === 'nodes' && !question.chosen.SCRIPT?.length) return <Hint text={t('reports.noScript')} />;
  if (answer === null) return isLoading ? <Hint text={t('reports.counting')} isBusy /> : <Hint text={t('reports.noMeasure')} />;
  if (rows.length === 0)
    return (
      <Hint text={t('reports.noCalls')}>
        {Object.values(question.chosen).some(values => values.length > 0) && (
          <Button variant="default" mt="sm" onClick={() => ask({ chosen: {} })}>
            {t('filters.clear')}
          </Button>
        )}
      </Hint>
    );
  return <AnswerView answer={answer} rows={rows} />;
}

/** Text in place of an answer: the next step for the user, or that the figures are loading. */
function Hint({ text, isBusy = false, children }: { text: string; isBusy?: boolean; children?: ReactNode }) {
  return (
    <div className={`sheet ${styles.hint}`} role="status" aria-busy={isBusy}>
      <div>{text}</div>
      {children}
    </div>
  );
}
