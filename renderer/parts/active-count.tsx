import { Pips } from '../kit/layout/meter.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './parts.module.css'

/** The count beside the title of a page: "7 of 10 active". */
export function ActiveCount({ active, limit, what }: { readonly active: number; readonly limit: number; readonly what: 'keys' | 'webhooks' }) {
  return (
    <span className={styles.activeCount}>
      <Pips label={(what === 'keys' ? partsText.activeKeys : partsText.activeWebhooks)(active, limit)} value={active} max={limit} />
      {partsText.activeOf(<b>{active}</b>, limit)}
    </span>
  )
}
