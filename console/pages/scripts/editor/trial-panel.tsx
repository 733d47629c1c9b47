import { useApolloClient } from '@apollo/client/react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconPlayerPlay, IconSend, IconVolumeOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/notice.tsx';
import { branchWords } from '../script-words.ts';
import styles from './editor.module.css';
import { type TryScriptQuery, TryScriptDocument } from './editor.generated.ts';
import { type EditedScript, nodeOf } from './graph.ts';

type Trial = NonNullable<TryScriptQuery['tryScript']>;
type TrialEvent = Trial['events'][number];

interface TrialPanelProps {
  id: string;
  script: EditedScript;
  /** Saves the draft first: a trial walks what the server has. */
  flush: () => Promise<boolean>;
  /** Shows on the graph where the call is. */
  showAt: (nodeId: string | null) => void;
  keepAsTest: (nodeId: string, text: string, branch: string) => Promise<void>;
}

/** A chat in which one is the customer: the script speaks as in a call, and says how it understood. */
export function TrialPanel({ id, script, flush, showAt, keepAsTest }: TrialPanelProps) {
  const { t } = useTranslation();
  const { trial, said, error, isBusy, restart, say, takeBack } = useTrial({ id, flush, showAt });
  const [typed, setTyped] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const names = [
    'customerName',
    ...script.variables.filter(({ defaultValue }) => defaultValue === null || defaultValue === '').map(({ key }) => key),
  ];
  const isOpen = trial?.end === 'WAITING';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '' || !isOpen || isBusy) return;
    void say(typed.trim(), values);
    setTyped('');
  };
  return (
    <div className={styles.chat}>
      {trial === null && (
        <>
          <Text size="sm" className="quiet">
            {t('scriptTrial.about')}
          </Text>
          {names.map(name => (
            <TextInput
              key={name}
              label={
                name === 'customerName' ? t('scriptTrial.customerName') : script.variables.find(({ key }) => key === name)?.label || name
              }
              value={values[name] ?? ''}
              onChange={event => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          ))}
        </>
      )}
      {trial && (
        <ol className={styles.lines} aria-label={t('scriptTrial.talk')} aria-live="polite">
          {trial.events.map((event, index) => (
            // Events only ever follow each other.
            <Line key={index} event={event} heard={lastHeard(trial.events, index)} script={script} keepAsTest={keepAsTest} />
          ))}
          <Ending trial={trial} />
        </ol>
      )}
      {error && <Notice error={error} />}
      {isOpen && (
        <form onSubmit={send} className={styles.send}>
          <TextInput
            label={t('scriptTrial.you')}
            maxLength={500}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" loading={isBusy} leftSection={<IconSend size={16} aria-hidden />}>
            {t('scriptTrial.say')}
          </Button>
        </form>
      )}
      <Group gap={6}>
        <Button
          variant={trial === null ? 'filled' : 'default'}
          size="compact-md"
          loading={isBusy}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => void restart(values)}
        >
          {t(trial === null ? 'scriptTrial.begin' : 'scriptTrial.again')}
        </Button>
        {isOpen && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconVolumeOff size={14} aria-hidden />}
            onClick={() => void say(null, values)}
          >
            {t('scriptTrial.silent')}
          </Button>
        )}
        {said.length > 0 && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            onClick={() => void takeBack(values)}
          >
            {t('scriptTrial.takeBack')}
          </Button>
        )}
      </Group>
    </div>
  );
}

type Values = Readonly<Record<string, string>>;

/** The trial's state is what was said and what the server has answered: each step sends both along. */
function useTrial({ id, flush, showAt }: Pick<TrialPanelProps, 'id' | 'flush' | 'showAt'>) {
  const client = useApolloClient();
  const [said, setSaid] = useState<readonly (string | null)[]>([]);
  const [trial, setTrial] = useState<Trial | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function step(words: readonly (string | null)[], answers: unknown, variables: Values): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await flush();
      const { data } = await client.query({
        query: TryScriptDocument,
        variables: { id, said: [...words], answers, variables },
        fetchPolicy: 'no-cache',
      });
      const found = data?.tryScript ?? null;
      setSaid(words);
      setTrial(found);
      showAt(found?.nodeId ?? null);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setBusy(false);
    }
  }

  const answers = trial?.answers ?? null;
  return {
    trial,
    said,
    error,
    isBusy,
    restart: (values: Values) => step([], null, values),
    say: (words: string | null, values: Values) => step([...said, words], answers, values),
    takeBack: (values: Values) => step(said.slice(0, -1), answers, values),
  };
}

interface LineProps {
  event: TrialEvent;
  /** The customer's last utterance before it. */
  heard: string | null;
  script: EditedScript;
  keepAsTest: TrialPanelProps['keepAsTest'];
}

function Line({ event, heard, script, keepAsTest }: LineProps) {
  const { t } = useTranslation();
  const { kind, text, nodeId, branch, confidence, byKeywords } = event;
  if (kind === 'BOT' || kind === 'CUSTOMER')
    return (
      <li className={styles.line} data-kind={kind}>
        {text}
      </li>
    );
  if (kind === 'SILENCE')
    return (
      <li className={styles.line} data-kind={kind}>
        {t('scriptTrial.silence')}
      </li>
    );
  if (kind === 'TRANSFER') return <li className={styles.note}>{t('scriptTrial.transfer', { reason: text })}</li>;
  const node = nodeOf(script, nodeId);
  const share = t(byKeywords ? 'scriptTrial.byKeywords' : 'scriptTrial.confidence', { share: Math.round((confidence ?? 0) * 100) });
  if (kind === 'EXTRACTION') return <li className={styles.note}>{`${t('scriptTrial.extracted', { values: text })} · ${share}`}</li>;
  const words =
    branch === null ? '' : (node?.type === 'router' && branchWords(branch, { branches: script.nlu.branches }, t)) || text || branch;
  return (
    <li className={styles.note} title={event.reason ?? undefined}>
      {`${node?.name || nodeId} → ${words} · ${share}`}
      {node?.type === 'router' && heard !== null && branch !== null && (
        <>
          {' · '}
          <Button variant="subtle" size="compact-xs" onClick={() => void keepAsTest(nodeId, heard, branch)}>
            {t('scriptTrial.keep')}
          </Button>
        </>
      )}
    </li>
  );
}

function lastHeard(events: readonly TrialEvent[], before: number): string | null {
  return events.slice(0, before).findLast(({ kind }) => kind === 'CUSTOMER')?.text ?? null;
}

function Ending({ trial: { end, classification, intent } }: { trial: Trial }) {
  const { t } = useTranslation();
  if (end === 'WAITING') return null;
  const result = [classification, intent].filter(Boolean).join(' · ');
  return (
    <li className={styles.note}>
      {t(`scriptTrialEnd.${end}`)}
      {result && ` · ${t('scriptTrial.result', { result })}`}
    </li>
  );
}
