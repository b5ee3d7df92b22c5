import { kitText } from '../text/en/kit.en.tsx'
import { cx } from './cx.ts'
import { Icon } from './icons/icon.tsx'
import styles from './marks.module.css'

/** Shows long or short with an arrow, a word and a colour, never with colour alone. */
export function Side({ side, leverage }: { readonly side: 'long' | 'short'; readonly leverage?: string | number | null }) {
  return (
    <span className={cx(styles.side, styles[side])}>
      <Icon name={side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} />
      {side === 'long' ? kitText.long : kitText.short}
      {leverage === undefined || leverage === null ? null : <span className={styles.leverage}>{leverage}×</span>}
    </span>
  )
}
