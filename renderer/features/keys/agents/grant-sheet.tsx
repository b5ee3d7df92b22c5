import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import type { KeyDraft } from '../../../../shared/ipc/keys/keys.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { useNaming } from '../../../parts/name-offer.tsx'
import { contractChecks } from '../../../signing/parts/phone-checks.ts'
import type { SigningMessage } from '../../../signing/parts/signing-message.ts'
import { SigningSheet } from '../../../signing/sheet/signing-sheet.tsx'
import { useWallet, useWalletActions } from '../../../signing/wallet/wallet-provider.tsx'
import type { GrantFlow } from './use-grant-flow.ts'

/** What all grants have in common on the sheet. */
export const grantMessage = (
  message: Pick<SigningMessage, 'title' | 'summary' | 'comparison' | 'contracts' | 'preparedAtMs' | 'deadlineMs'>,
): SigningMessage => ({
  thing: 'grant',
  noun: 'grant',
  again: 'it becomes a new grant',
  spending: null,
  contractWallet: null,
  lead: 'One signature in your wallet. It is free and sends no transaction.',
  facts: [],
  moved: null,
  requestId: null,
  intentId: null,
  unknownFields: null,
  transaction: null,
  ...message,
})

/** The grant by which a key is made. */
export const draftMessage = (draft: KeyDraft): SigningMessage =>
  grantMessage({
    title: `Let an agent trade for you with ${draft.request.label}`,
    summary: `Grant for ${draft.request.label}, ${draft.request.expiresInDays} days`,
    comparison: draft.comparison,
    contracts: contractChecks({ router: draft.router }),
    preparedAtMs: draft.preparedAtMs,
    deadlineMs: draft.expiresAtMs,
  })

interface GrantSheetProps<D> {
  readonly grant: GrantFlow<D>
  readonly message: (draft: D) => SigningMessage
  /** What the signature brings about. */
  readonly after: string
  readonly profile: Profile | undefined
  readonly onPrepareAgain: () => void
}

/** The signing sheet for a grant. Draws nothing while it is closed. */
export function GrantSheet<D>({ grant, message, after, profile, onPrepareAgain }: GrantSheetProps<D>) {
  const showPhone = useDeskCommand('practice.showPhone')
  const light = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  const naming = useNaming(grant.sendAgain)
  if (grant.open === null) return null
  const { draft, flow } = grant.open
  const phase = flow.phase.kind === 'waiting' ? { ...flow.phase, relay: light === 'down' ? ('lost' as const) : ('reached' as const) } : flow.phase
  return (
    <SigningSheet
      message={message(draft)}
      phase={phase}
      times={flow.times}
      words={{ after: [after] }}
      naming={naming}
      actions={{
        onSend: grant.send,
        onSendAgain: grant.sendAgain,
        onPrepareAgain: () => {
          grant.close()
          onPrepareAgain()
        },
        onCancel: grant.close,
        onClose: grant.close,
        onOpenActivity: null,
        onOpenTransaction: () => undefined,
        onShowPhone: profile?.kind === 'practice' ? () => showPhone.mutate({}) : null,
        onSwitchChain: () => void switchChain(),
      }}
    />
  )
}
