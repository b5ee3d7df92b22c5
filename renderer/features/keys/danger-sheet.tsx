import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { useToast } from '../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { type KeyEnd, KeyFacts, KeyUseNote } from './key-facts.tsx'

/** Facts that distinguish the key from others with the same label. All come from the list that opened the sheet, so the sheet needs no request. */
const Facts = ({ entry, end }: { readonly entry: KeySummary; readonly end: KeyEnd }) => (
  <>
    <KeyFacts entry={entry} />
    <KeyUseNote entry={entry} end={end} />
  </>
)

/** Rotates a key's secret. If the secret is stored elsewhere, rotating gives the app a new one that it can store. */
export function RotateSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const rotate = useIpcCommand('keys.rotate')
  const elsewhere = entry.secret === 'elsewhere' || entry.secret === 'removed'
  return (
    <ConfirmName
      title={elsewhere ? keysText.adoptNamed(entry.label) : keysText.rotateNamed(entry.label)}
      effect={elsewhere ? keysText.adoptEffect : keysText.rotateEffect}
      facts={<Facts entry={entry} end="rotate" />}
      name={entry.label}
      confirmLabel={elsewhere ? keysText.adoptKey : keysText.rotateSecret}
      keepLabel={keysText.keepKey}
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
                title: keysText.hasNewSecret(entry.label),
                text: done.secret === 'memory' ? keysText.keychainRefusedUntilQuit : keysText.storedAndVerified,
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
      title={keysText.revokeNamed(entry.label)}
      effect={keysText.revokeEffect}
      facts={<Facts entry={entry} end="revoke" />}
      name={entry.label}
      confirmLabel={keysText.revokeKey}
      keepLabel={keysText.keepKey}
      busy={revoke.isPending}
      failure={revoke.error === null ? null : failureOf(revoke.error)}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(
          { keyId: entry.id, confirmLabel: entry.label },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: keysText.keyRevoked(entry.label), text: keysText.secretRemovedFromKeychain, action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}
