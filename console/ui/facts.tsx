import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A fact with its name; facts without a value are left out. */
export type Fact = readonly [name: string, value: Exclude<ReactNode, Promise<unknown>>];

/** Facts about one thing, as name and value. */
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
