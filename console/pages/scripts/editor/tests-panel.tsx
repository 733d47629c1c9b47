import { useQuery } from '@apollo/client/react';
import { ActionIcon, Alert, Button, Select, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../../form/use-commands.ts';
import { Notice } from '../../../ui/notice.tsx';
import { branchWords } from '../script-words.ts';
import {
  CheckUtterancesDocument,
  type CheckUtterancesQuery,
  DropUtteranceDocument,
  KeepUtteranceDocument,
  ScriptUtterancesDocument,
} from './editor.generated.ts';
import styles from './editor.module.css';
import { branchesOf, type EditedScript, nodeOf } from './graph.ts';

export type UtteranceCheck = NonNullable<CheckUtterancesQuery['checkScriptUtterances']>[number];

interface TestsPanelProps {
  id: string;
  script: EditedScript;
  flush: () => Promise<boolean>;
}

/** Sentences of customers with the branch that they should take, and what became of them. */
export function TestsPanel({ id, script, flush }: TestsPanelProps) {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  const { data, error, refetch } = useQuery(ScriptUtterancesDocument, { variables: { id } });
  const [checks, setChecks] = useState<readonly UtteranceCheck[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const utterances = data?.script?.utterances ?? [];
  const found = new Map(checks?.map(check => [check.utterance.databaseId, check]));

  async function check(): Promise<void> {
    setBusy(true);
    await flush();
    setChecks((await read(CheckUtterancesDocument, { id }))?.checkScriptUtterances ?? []);
    setBusy(false);
  }
  async function expect(nodeId: string, text: string, expected: string): Promise<void> {
    await run(KeepUtteranceDocument, { id, input: { nodeId, text, expected } });
    setChecks(null);
    await refetch();
  }
  async function drop(utteranceId: string): Promise<void> {
    await run(DropUtteranceDocument, { id, utteranceId });
    await refetch();
  }

  return (
    <div className={styles.rows}>
      <Text size="sm" className="quiet">
        {t('scriptTests.about')}
      </Text>
      {error && <Notice error={error} />}
      {utterances.length > 0 && (
        <Button loading={isBusy} onClick={() => void check()}>
          {t('scriptTests.run', { count: utterances.length })}
        </Button>
      )}
      {checks && <Verdict checks={checks} />}
      <Table aria-label={t('scriptTests.title')} fz="sm">
        <Table.Tbody>
          {utterances.map(({ databaseId, nodeId, text, expected }) => {
            const check = found.get(databaseId);
            const node = nodeOf(script, nodeId);
            return (
              <Table.Tr key={databaseId}>
                <Table.Td>
                  {text}
                  <div className="quiet">{node?.name || nodeId}</div>
                  {check && !check.isAsExpected && (
                    <div className="tone-failed">
                      {check.branch === null
                        ? t('scriptTests.gone')
                        : t('scriptTests.took', {
                            branch: branchWords(check.branch, { branches: script.nlu.branches }, t),
                            share: Math.round(check.confidence * 100),
                          })}
                    </div>
                  )}
                </Table.Td>
                <Table.Td w={150}>
                  <Select
                    size="xs"
                    aria-label={t('scriptTests.expected', { text })}
                    allowDeselect={false}
                    data={[...new Set([expected, ...(node ? branchesOf(node).map(([branch]) => branch) : [])])].map(branch => ({
                      value: branch,
                      label: branchWords(branch, { branches: script.nlu.branches }, t),
                    }))}
                    value={expected}
                    onChange={next => next && void expect(nodeId, text, next)}
                  />
                </Table.Td>
                <Table.Td w={40}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('scriptEditor.removeRow', { name: text })}
                    onClick={() => void drop(databaseId)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Verdict({ checks }: { checks: readonly UtteranceCheck[] }) {
  const { t } = useTranslation();
  const failed = checks.filter(({ isAsExpected }) => !isAsExpected).length;
  const byKeywords = checks.some(check => check.byKeywords);
  return (
    <Alert color={failed === 0 ? 'green' : 'red'} p="xs">
      {failed === 0 ? t('scriptTests.passed', { count: checks.length }) : t('scriptTests.failed', { count: failed, all: checks.length })}
      {byKeywords && ` ${t('scriptTests.byKeywords')}`}
    </Alert>
  );
}
