import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { useToast } from '../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { type KeyEnd, KeyFacts, KeyUseNote } from './key-facts.tsx'

/** The facts that tell the key apart from others with the same label. They come from the list that opened the sheet, so no request is needed. */
const Facts = ({ entry, end }: { readonly entry: KeySummary; readonly end: KeyEnd }) => (
  <>
    <KeyFacts entry={entry} />
    <KeyUseNote entry={entry} end={end} />
  </>
)

/** Rotates a key's secret. If the old secret is only stored elsewhere, the rotation gives the app a secret that it can store here. */
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
            onSuccess: ({ leftInKeychain }) => {
              toast({
                tone: 'ok',
                title: keysText.keyRevoked(entry.label),
                text: leftInKeychain ? keysText.secretStillInKeychain : keysText.secretRemovedFromKeychain,
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
