import { useQuery } from '@apollo/client/react';
import { Skeleton, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { inShownUnit } from '../../text/milliseconds.ts';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { type OutlineLine, outlineOf } from './outline.ts';
import { ScriptTextsDocument, type ScriptVersionHeadFragment } from './script.generated.ts';
import styles from './script.module.css';
import { readScript, type ScriptText } from './script-text.ts';
import { branchWords, conditionWords, settingLines } from './script-words.ts';
import { VersionSelect } from './version-select.tsx';

interface ScriptReadingProps {
  id: string;
  versions: readonly ScriptVersionHeadFragment[];
  current: number;
  isTaken: boolean;
}

/** One version as an outline, followed by the phrases and fields that its steps name. */
export function ScriptReading({ id, versions, current, isTaken }: ScriptReadingProps) {
  const { t } = useTranslation();
  const [wanted, choose] = useQueryState('version');
  const version = Number(wanted) || current;
  const { data, error } = useQuery(ScriptTextsDocument, { variables: { id, version, against: version, isCompared: false } });
  const shown = data?.script?.shown;
  return (
    <>
      <VersionSelect label={t('scripts.version')} versions={versions} isTaken={isTaken} value={version} choose={choose} />
      {error && <Notice error={error} />}
      {shown ? <Reading text={readScript(shown)} /> : !error && <Skeleton height={360} mt="md" />}
    </>
  );
}

function Reading({ text }: { text: ScriptText }) {
  const { t } = useTranslation();
  return (
    <div className={styles.reading}>
      <section className={`sheet ${styles.sheet}`} aria-labelledby="script-way">
        <Title order={2} id="script-way" mb="sm">
          {t('script.way')}
        </Title>
        <ol className={styles.outline}>
          {outlineOf(text).map(line => (
            <Step key={line.key} line={line} text={text} />
          ))}
        </ol>
      </section>
      <div className={styles.aside}>
        <Facts
          title={t('script.variables')}
          head={[t('script.key'), t('script.label'), t('script.default')]}
          rows={text.variables.map(({ key, label, defaultValue }) => [key, label, shortOf(defaultValue)])}
        />
        <Facts
          title={t('script.branches')}
          head={[t('script.means'), t('script.key'), t('script.said')]}
          rows={text.branches.map(({ key, desc, examples = [] }) => {
            const name = branchWords(key, text, t);
            return [name, name === key ? '' : key, [desc === name ? '' : desc, ...examples].filter(Boolean).join(t('noun.between'))];
          })}
        />
        <Facts
          title={t('script.fields')}
          head={[t('script.key'), t('script.label'), t('script.type')]}
          rows={text.fields.map(({ key, label, type }) => [key, label, t(`scriptFieldType.${type}`, { defaultValue: type })])}
        />
        <Facts
          title={t('script.rules')}
          head={[t('script.when'), t('script.classification'), t('script.intent')]}
          rows={text.rules.map(({ when, classification, intent }) => [conditionWords(when, text, t), classification ?? '', intent ?? ''])}
        />
      </div>
    </div>
  );
}

/** Colours of nodes: transfers to an agent, branches and ends. */
const TONES: Readonly<Record<string, string>> = { transfer: 'tone-person', router: 'tone-waiting', end: 'quiet' };

function Step({ line: { depth, branch, node, nodeId, isRepeat }, text }: { line: OutlineLine; text: ScriptText }) {
  const { t } = useTranslation();
  return (
    <li className={styles.step} style={{ marginInlineStart: depth * 28 }} id={node && !isRepeat ? `node-${nodeId}` : undefined}>
      {branch !== null && (
        <div className={styles.branch}>
          {branchWords(branch, text, t)} <code className="quiet">{branch}</code>
        </div>
      )}
      {node === null && <span className="tone-failed">{t('script.missingNode', { id: nodeId })}</span>}
      {node && isRepeat && (
        <a href={`#node-${nodeId}`} className={styles.repeat} onClick={event => jump(event, nodeId)}>
          {t('script.above', { name: node.name || node.id })}
        </a>
      )}
      {node && !isRepeat && (
        <>
          <span className={`${styles.type} ${TONES[node.type] ?? ''}`}>{t(`scriptNode.${node.type}`, { defaultValue: node.type })}</span>{' '}
          <strong>{node.name || node.id}</strong> <code className="quiet">{node.id}</code>
          <Says node={node} text={text} />
        </>
      )}
    </li>
  );
}

/** Scrolls to a node without a change of the URL. */
function jump(event: React.MouseEvent, nodeId: string): void {
  event.preventDefault();
  document.getElementById(`node-${nodeId}`)?.scrollIntoView({ block: 'center' });
}

function Says({ node: { config }, text: script }: { node: NonNullable<OutlineLine['node']>; text: ScriptText }) {
  const { t } = useTranslation();
  const { phrase, text, ...others } = config;
  const said = typeof text === 'string' ? text : script.phrases.find(({ key }) => key === phrase)?.text;
  const rest = Object.entries(others);
  return (
    <>
      {said && <blockquote className={styles.said}>{said}</blockquote>}
      {rest.length > 0 && (
        <dl className={styles.config}>
          {rest.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`scriptConfig.${name}`, { defaultValue: name })}</dt>
              <dd>
                {settingLines(inShownUnit(name, value), script).map(line => (
                  <div key={line}>{line}</div>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

interface FactsProps {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

function Facts({ title, head, rows }: FactsProps) {
  if (rows.length === 0) return null;
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Table aria-label={title} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {head.map(each => (
              <Table.Th key={each}>{each}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, index) => (
            // Rules have no name but their position.
            <Table.Tr key={`${index} ${cells[0]}`}>
              {cells.map((cell, place) => (
                <Table.Td key={head[place]} className={styles.cell}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function shortOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
