import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { State } from '../../kit/layout/state.tsx'
import { type RouterFinding, routerFindings } from './router-findings.ts'
import styles from './signing.module.css'
import type { NamedContract } from './signing-message.ts'

const looks = {
  for: { tone: 'ok', icon: 'check' },
  against: { tone: 'danger', icon: 'x' },
  open: { tone: 'off', icon: 'unknown' },
} as const satisfies Record<RouterFinding['verdict'], unknown>

/** The contract that a message names, and what was found on it. */
export function RouterEvidence({ router, what = 'router' }: { readonly router: RouterCheck; readonly what?: NamedContract }) {
  return (
    <ul className={styles.evidence} aria-label={`What is known of the ${what}`}>
      <li className={styles.whole}>
        <span>In the message</span>
        <code>{router.candidate}</code>
      </li>
      {routerFindings(router, what).map(({ verdict, words, address }) => (
        <li key={words} className={address === null ? undefined : styles.whole}>
          <State {...looks[verdict]}>{words}</State>
          {address === null ? null : <code className={address === router.pinned ? styles.old : undefined}>{address}</code>}
        </li>
      ))}
    </ul>
  )
}
