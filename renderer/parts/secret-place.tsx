import { unreachable } from '../../shared/result.ts'
import { Icon } from '../kit/icons/icon.tsx'
import notesStyles from '../kit/layout/notes.module.css'
import { State } from '../kit/layout/state.tsx'
import textStyles from '../kit/text.module.css'
import { partsText } from '../text/en/parts.en.tsx'

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
