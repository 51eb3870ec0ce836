/** Names and values, one beside the other. */
import type { ReactNode } from "react";

import styles from "./Facts.module.css";

export function Facts({ of }: { of: [string, ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
