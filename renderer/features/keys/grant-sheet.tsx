import type { KeyDraft } from '../../../shared/ipc/keys.ts'
import type { Profile } from '../../../shared/ipc/profiles.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import type { RouterQuestion, SigningMessage } from '../../ui/signing/signing-message.ts'
import { SigningSheet } from '../../ui/signing/signing-sheet.tsx'
import { useWallet, useWalletActions } from '../../wallet/wallet-provider.tsx'
import type { GrantFlow } from './use-grant-flow.ts'

const words = { after: ['Key created, secret in the keychain'] } as const

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The grant names its contract itself; whether it must be confirmed follows from what the profile pinned. */
export function routerQuestion(contract: string | null, pinned: string | null): RouterQuestion | null {
  if (contract === null) return null
  const state = pinned === null ? 'new' : same(pinned, contract) ? 'pinned' : 'changed'
  return { candidate: contract, pinned, published: null, hasCode: null, looked: false, state }
}

function grantMessage(draft: KeyDraft, profile: Profile | undefined): SigningMessage {
  return {
    thing: 'grant',
    title: `Let an agent trade for you with ${draft.request.label}`,
    lead: 'One signature in your wallet. It is free and sends no transaction.',
    summary: `Grant for ${draft.request.label}, ${draft.request.expiresInDays} days`,
    comparison: draft.comparison,
    facts: [],
    router: routerQuestion(draft.grant.contract, profile?.pinnedRouter ?? null),
    moved: null,
    preparedAtMs: draft.preparedAtMs,
    deadlineMs: draft.expiresAtMs,
    requestId: null,
    intentId: null,
  }
}

/** The signing sheet for the grant. Draws nothing while it is closed. */
export function GrantSheet({
  grant,
  profile,
  onPrepareAgain,
}: {
  readonly grant: GrantFlow
  readonly profile: Profile | undefined
  readonly onPrepareAgain: () => void
}) {
  const showPhone = useDeskCommand('practice.showPhone')
  const light = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  if (grant.open === null) return null
  const { draft, flow } = grant.open
  const phase = flow.phase.kind === 'waiting' ? { ...flow.phase, relay: light === 'down' ? ('lost' as const) : ('reached' as const) } : flow.phase
  return (
    <SigningSheet
      message={grantMessage(draft, profile)}
      phase={phase}
      times={flow.times}
      words={words}
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
