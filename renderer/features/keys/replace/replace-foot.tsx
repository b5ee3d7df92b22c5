import { useState } from 'react'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'

interface FootProps {
  readonly replacement: Replacement
  readonly busy: boolean
  readonly onAbandon: (newKey: 'keep' | 'revoke') => void
  readonly onClose: () => void
}

/** Leaves the sheet, or gives the replacement up: the old key stays, the new one by the user's word. */
export function ReplaceFoot({ replacement, busy, onAbandon, onClose }: FootProps) {
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { newKey, oldKey } = replacement
  const mayAbandon = replacement.next.includes('abandon')
  if (asks && mayAbandon) {
    return (
      <SheetFoot
        verdict={
          <p className={textStyles.secondary}>
            <b>{oldKey.label} stays as it is.</b> {newKey === null ? 'Nothing was made.' : `And ${newKey.label}?`}
          </p>
        }
      >
        <Button autoFocus onClick={() => setAsks(false)}>
          Go on replacing
        </Button>
        {newKey === null ? (
          <Button variant="danger" busy={busy} onClick={() => onAbandon('keep')}>
            Abandon it
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => onAbandon('keep')}>
              Keep the new key
            </Button>
            <Button variant="danger" icon="trash" busy={busy} onClick={() => onAbandon('revoke')}>
              Revoke the new key
            </Button>
          </>
        )}
      </SheetFoot>
    )
  }
  return (
    <SheetFoot
      verdict={
        mayAbandon ? (
          <Button variant="ghost" onClick={() => setAsks(true)}>
            Abandon
          </Button>
        ) : null
      }
    >
      {mayAbandon ? <span className={textStyles.muted}>You can close this and come back at any time.</span> : null}
      <Button onClick={onClose} kbd={['Esc']}>
        Close
      </Button>
      {replacement.now.state === 'done' && newKey !== null ? (
        <Button variant="primary" icon="key" onClick={() => navigate(`keys/${newKey.id}`)}>
          Open {newKey.label}
        </Button>
      ) : null}
    </SheetFoot>
  )
}
