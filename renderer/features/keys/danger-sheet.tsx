import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { useToast } from '../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'

/** A new secret for a key. For one whose secret is kept elsewhere this is how it is adopted. */
export function RotateSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const rotate = useDeskCommand('keys.rotate')
  const elsewhere = entry.secret === 'elsewhere' || entry.secret === 'removed'
  return (
    <ConfirmName
      title={elsewhere ? `Adopt ${entry.label}` : `Rotate ${entry.label}`}
      effect={
        elsewhere
          ? 'The service makes a new secret, which goes into the keychain of this computer. The old one, wherever it is kept, stops working at once, and so do the bots that hold it.'
          : 'The service makes a new secret, and the present one stops working at once. Bots that hold it stop until they get the new one. It goes straight into the keychain.'
      }
      name={entry.label}
      confirmLabel={elsewhere ? 'Adopt key' : 'Rotate secret'}
      keepLabel="Keep it"
      busy={rotate.isPending}
      failure={rotate.error === null ? null : failureOf(rotate.error)}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate(
          { keyId: entry.id, confirmLabel: entry.label },
          {
            onSuccess: (done) => {
              toast({
                tone: done.secret === 'memory' ? 'warn' : 'ok',
                title: `${entry.label} has a new secret`,
                text: done.secret === 'memory' ? 'The keychain did not take it. It is kept for this run only.' : 'In the keychain, read back.',
                action: null,
              })
              onClose()
            },
          },
        )
      }
    />
  )
}

export function RevokeSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const revoke = useDeskCommand('keys.revoke')
  return (
    <ConfirmName
      title={`Revoke ${entry.label}`}
      effect="Bots with this key stop at once and its agent loses its grant. Open positions stay open. This cannot be undone."
      name={entry.label}
      confirmLabel="Revoke key"
      keepLabel="Keep it"
      busy={revoke.isPending}
      failure={revoke.error === null ? null : failureOf(revoke.error)}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(
          { keyId: entry.id, confirmLabel: entry.label },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: `${entry.label} is revoked`, text: 'Its secret was removed from the keychain.', action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}
