import { Pips } from '../kit/layout/meter.tsx'
import styles from './parts.module.css'

/** "7 of 10 active", beside the title of a page. */
export function ActiveCount({ active, limit, what }: { readonly active: number; readonly limit: number; readonly what: string }) {
  return (
    <span className={styles.activeCount}>
      <Pips label={`${active} of ${limit} active ${what}`} value={active} max={limit} />
      <b>{active}</b> of {limit} active
    </span>
  )
}
