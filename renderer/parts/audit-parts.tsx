import type { AuditKind, AuditRow } from '../../shared/ipc/reads/audit.ts'
import { auditDetailText } from '../../shared/text/audit-text.ts'
import { Switch } from '../kit/checkbox.tsx'
import type { IconName } from '../kit/icons/icon.tsx'
import { kitText } from '../text/en/kit.en.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import { statesText } from '../text/en/states.en.tsx'
import styles from './parts.module.css'

/** Icon and filter label for each kind of event. */
export const auditKinds: Readonly<Record<AuditKind, { readonly icon: IconName; readonly word: string }>> = {
  sign_in: { icon: 'user', word: statesText.signIns },
  key_created: { icon: 'key', word: statesText.keysCreated },
  key_rotated: { icon: 'rotate', word: statesText.secretsRotated },
  key_revoked: { icon: 'trash', word: statesText.keysRevoked },
  expiry_changed: { icon: 'clock', word: statesText.expiryChanged },
  agent: { icon: 'bot', word: statesText.agents },
  executor: { icon: 'chip', word: statesText.executors },
  payment: { icon: 'coins', word: statesText.payments },
  secret_used: { icon: 'copy', word: statesText.secretsUsed },
  call: { icon: 'activity', word: statesText.calls },
  webhook: { icon: 'webhook', word: statesText.webhooks },
  other: { icon: 'doc', word: statesText.other },
}

/** Returns the line under an audit event's title: where the event came from, its IP address, and any further details. */
export function auditDetail(row: AuditRow): string {
  const where =
    row.source === 'app' ? statesText.thisComputer : row.origin === 'here' ? statesText.byThisApp : row.origin === 'elsewhere' ? statesText.notByThisApp : null
  return kitText.listed(
    [where, row.ip === null ? null : statesText.fromAddress(row.ip), auditDetailText(row)].filter((part) => part !== null).filter((part) => part !== ''),
  )
}

/** Shows or hides this app's own calls in an audit log. The app makes a call every few seconds, so its own rows would hide all others. */
export function OwnCallsSwitch({ shown, onChange }: { readonly shown: boolean; readonly onChange: (shown: boolean) => void }) {
  return (
    <div className={styles.ownCalls}>
      <Switch checked={shown} onChange={onChange}>
        {partsText.showOwnCalls}
      </Switch>
    </div>
  )
}
