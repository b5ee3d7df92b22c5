import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { useToast } from '../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { keysText } from '../../text/en/keys.en.tsx'

/** Rotates a key's secret. Also how the app adopts a key whose secret is elsewhere. */
export function RotateSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const rotate = useIpcCommand('keys.rotate')
  const elsewhere = entry.secret === 'elsewhere' || entry.secret === 'removed'
  return (
    <ConfirmName
      title={elsewhere ? keysText.adopt(entry.label) : keysText.rotate(entry.label)}
      effect={elsewhere ? keysText.theServiceMakesANewSecretWhich : keysText.theServiceMakesANewSecretAnd}
      name={entry.label}
      confirmLabel={elsewhere ? keysText.adoptKey : keysText.rotateSecret}
      keepLabel={keysText.keepIt}
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
                title: keysText.hasANewSecret(entry.label),
                text: done.secret === 'memory' ? keysText.theKeychainDidNotTakeItIt : keysText.inTheKeychainReadBack2,
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
  const revoke = useIpcCommand('keys.revoke')
  return (
    <ConfirmName
      title={keysText.revoke(entry.label)}
      effect={keysText.botsWithThisKeyStopAtOnce}
      name={entry.label}
      confirmLabel={keysText.revokeKey}
      keepLabel={keysText.keepIt}
      busy={revoke.isPending}
      failure={revoke.error === null ? null : failureOf(revoke.error)}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(
          { keyId: entry.id, confirmLabel: entry.label },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: keysText.isRevoked(entry.label), text: keysText.itsSecretWasRemovedFromTheKeychain, action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}
