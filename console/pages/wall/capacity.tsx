import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CapBar } from '../../ui/cap-bar.tsx';
import type { WallNowFragment } from './wall.generated.ts';
import styles from './wall.module.css';

/** Lines, cells and runtimes with their load. */
export function Capacity({ now: { lines, cells, runtimes, runtimeMode, hasUnregistered } }: { now: WallNowFragment['overview'] }) {
  const { t } = useTranslation();
  const there = runtimes.filter(({ isGone }) => !isGone);
  const isUnserved = runtimeMode === 'NATS' && there.length === 0 && !hasUnregistered;
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2}>{t('wall.capacity')}</Title>
      <Title order={3}>{t('wall.lines')}</Title>
      {lines.length === 0 && <Text className="quiet">{t('wall.noLines')}</Text>}
      {lines.map(line => (
        <CapBar key={line.id} name={line.name} active={line.active} cap={line.maxConcurrency} note={!line.isEnabled && <Off />} />
      ))}
      <Title order={3}>{t('wall.cells')}</Title>
      {cells.map(cell => (
        <CapBar
          key={cell.id}
          name={cell.cellId}
          active={cell.active}
          cap={cell.maxConcurrency}
          note={cell.isEnabled ? cell.state !== 'UP' && <span className="tone-failed">{t(`cellState.${cell.state}`)}</span> : <Off />}
        />
      ))}
      <Title order={3}>{t('wall.runtimes')}</Title>
      {isUnserved && <Text className="tone-failed">{t('wall.noRuntime')}</Text>}
      {there.map(runtime => (
        <CapBar
          key={runtime.id}
          name={runtime.name}
          active={runtime.calls}
          cap={runtime.maxCalls}
          note={runtime.isDraining && <span className="tone-waiting">{t('wall.draining')}</span>}
        />
      ))}
    </section>
  );
}

function Off() {
  const { t } = useTranslation();
  return <span className="quiet">({t('wall.disabled')})</span>;
}
