import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** What is known under which name; one without a value is left out. */
export type Fact = readonly [name: string, value: Exclude<ReactNode, Promise<unknown>>];

/** What is known of one thing, name beside value. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.filter(isKnown).map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}

function isKnown([, value]: Fact): boolean {
  return value !== null && value !== undefined && value !== false && value !== '';
}
