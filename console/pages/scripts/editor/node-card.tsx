import { ActionIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowsSplit2,
  IconEar,
  IconFlag,
  IconHeadset,
  IconMessage,
  IconMessages,
  IconPlayerPlay,
  IconPlus,
} from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../text/format.ts';
import { branchWords } from '../script-words.ts';
import { exitAt, exitsOf } from './card-handles.ts';
import styles from './editor.module.css';
import { type EditedNode, type EditedScript, saidBy } from './graph.ts';

interface CardData extends Record<string, unknown> {
  node: EditedNode;
  script: EditedScript;
  /** Its branches from left to right, as their targets stand. */
  order: readonly string[];
  /** Whether a trial is here. */
  isAt: boolean;
  isLast: boolean;
  faults: { blocking: number; others: number };
  figures: { entered: number; hungUp: number } | null;
  addAfter: (nodeId: string, branch: string) => void;
}

export type CardNode = Node<CardData, 'card'>;

const ICONS: Readonly<Record<string, typeof IconMessage>> = {
  start: IconPlayerPlay,
  send: IconMessage,
  collect: IconEar,
  router: IconArrowsSplit2,
  chat: IconMessages,
  end: IconFlag,
  transfer: IconHeadset,
};

function Card({ data, selected }: NodeProps<CardNode>) {
  const { node, script, order, isAt, isLast, faults, figures, addAfter } = data;
  const { t } = useTranslation();
  const type = t(`scriptNode.${node.type}`, { defaultValue: node.type });
  const Icon = ICONS[node.type] ?? IconMessage;
  return (
    <div className={`${styles.card} ${selected ? styles.chosen : ''} ${isAt ? styles.at : ''}`} data-type={node.type}>
      <div className={styles.cardHead}>
        <Icon size={16} aria-hidden />
        <strong>{node.name || node.id}</strong>
        <Faults {...faults} />
      </div>
      <div className={styles.cardType}>
        {type}
        {figures && <span>{t('scriptEditor.passed', { entered: formatCount(figures.entered), hungUp: formatCount(figures.hungUp) })}</span>}
      </div>
      <div className={styles.cardText}>{saidBy(node, script)}</div>
      {node.type !== 'start' && <Handle type="target" position={Position.Top} />}
      {!isLast && <Branches node={node} script={script} order={order} addAfter={addAfter} />}
    </div>
  );
}

function Faults({ blocking, others }: CardData['faults']) {
  const { t } = useTranslation();
  const count = blocking + others;
  if (count === 0) return null;
  return (
    <span className={blocking > 0 ? 'tone-failed' : 'tone-waiting'} title={t('scriptEditor.faults', { count })}>
      <IconAlertTriangle size={16} role="img" aria-label={t('scriptEditor.faults', { count })} />
    </span>
  );
}

/** One handle for each branch, side by side; a button puts a new node behind it. */
function Branches({ node, script, order, addAfter }: Pick<CardData, 'node' | 'script' | 'order' | 'addAfter'>) {
  const { t } = useTranslation();
  const branches = exitsOf(order);
  return branches.map((branch, index) => {
    const left = `${exitAt(index, branches.length) * 100}%`;
    const words = branchWords(branch, { branches: script.nlu.branches }, t);
    return (
      <span key={branch}>
        <Handle type="source" position={Position.Bottom} id={branch} style={{ left }} />
        <ActionIcon
          className={`${styles.add} nodrag nopan`}
          style={{ left }}
          size={16}
          radius="xl"
          tabIndex={-1}
          aria-label={t('scriptEditor.addAfter', { name: node.name || node.id, branch: words })}
          onClick={event => {
            event.stopPropagation();
            addAfter(node.id, branch);
          }}
        >
          <IconPlus size={12} aria-hidden />
        </ActionIcon>
      </span>
    );
  });
}

export const NODE_TYPES = { card: Card };
