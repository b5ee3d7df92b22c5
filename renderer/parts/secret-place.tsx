import { unreachable } from '../../shared/result.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { Pips } from '../kit/layout/meter.tsx'
import notesStyles from '../kit/layout/notes.module.css'
import { State } from '../kit/layout/state.tsx'
import textStyles from '../kit/text.module.css'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './parts.module.css'

/** A table cell with the place where a secret is stored. `removed`: the app deleted the secret from this computer's keychain. */
export function SecretPlace({ secret }: { readonly secret: 'keychain' | 'memory' | 'elsewhere' | 'removed' }) {
  switch (secret) {
    case 'keychain':
      return (
        <span className={notesStyles.state}>
          <Icon name="lock" />
          {partsText.keychain}
        </span>
      )
    case 'memory':
      return (
        <State tone="warn" icon="hourglass">
          {partsText.thisRunOnly}
        </State>
      )
    case 'elsewhere':
      return (
        <State tone="off" icon="eye-off">
          {partsText.notHere}
        </State>
      )
    case 'removed':
      return <span className={textStyles.muted}>{partsText.removed}</span>
    default:
      return unreachable(secret)
  }
}

/** The count beside the title of a page: "7 of 10 active". */
export function ActiveCount({ active, limit, what }: { readonly active: number; readonly limit: number; readonly what: 'keys' | 'webhooks' }) {
  return (
    <span className={styles.activeCount}>
      <Pips label={(what === 'keys' ? partsText.activeKeys : partsText.activeWebhooks)(active, limit)} value={active} max={limit} />
      {partsText.activeOf(<b>{active}</b>, limit)}
    </span>
  )
}
