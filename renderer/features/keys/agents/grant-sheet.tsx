import type { AgentDraft } from '../../../../shared/ipc/keys/agents.ts'
import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { useNaming } from '../../../parts/name-offer.tsx'
import { contractChecks } from '../../../signing/parts/phone-checks.ts'
import { noExtras, type SigningMessage } from '../../../signing/parts/signing-message.ts'
import type { SigningKind } from '../../../signing/sheet/signing-flow.ts'
import { SigningSheet } from '../../../signing/sheet/signing-sheet.tsx'
import type { Signing } from '../../../signing/sheet/use-signing.ts'
import { keysText } from '../../../text/en/keys.en.tsx'

/** Builds the signing message of a grant: `message` plus the texts that are the same for every grant. */
export const grantMessage = (
  message: Pick<SigningMessage, 'title' | 'summary' | 'comparison' | 'contracts' | 'preparedAtMs' | 'deadlineMs'>,
): SigningMessage => ({
  ...noExtras,
  ...{ thing: 'grant', subject: 'grant', preparedAgain: 'new_grant', lead: keysText.grantSigningLead },
  ...message,
})

/** The signing message of the grant that creates a key. */
export const draftMessage = (draft: KeyDraft): SigningMessage =>
  grantMessage({
    title: keysText.letAgentTrade(draft.request.label),
    summary: keysText.grantForDays(draft.request.label, draft.request.expiresInDays),
    comparison: draft.comparison,
    contracts: contractChecks({ router: draft.router }),
    preparedAtMs: draft.preparedAtMs,
    deadlineMs: draft.expiresAtMs,
  })

/** The signing of a new key's grant. After the signature, the main process creates the key and stores its secret. */
export const newKeyGrant: SigningKind<KeyDraft, KeySummary> = {
  stepsAfter: 1,
  preparedAtMs: ({ preparedAtMs }) => preparedAtMs,
  ask: (call, { id }, hand) => call('keys.ask', { draftId: id, ...hand }),
  answered: (call, { id }, signature) => call('keys.create', { draftId: id, signature }),
}

export const agentGrant: SigningKind<AgentDraft, KeySummary> = {
  stepsAfter: 1,
  preparedAtMs: ({ openedAtMs }) => openedAtMs,
  ask: (call, { keyId }, hand) => call('agents.ask', { keyId, ...hand }),
  answered: (call, { keyId }, signature) => call('agents.store', { keyId, signature }),
}

interface GrantSheetProps<D> {
  readonly grant: Signing<D>
  readonly message: (draft: D) => SigningMessage
  /** A text that says what happens after the signature. */
  readonly after: string
  readonly onPrepareAgain: () => void
}

/** The signing sheet for a grant. Draws nothing while closed. */
export function GrantSheet<D>({ grant, message, after, onPrepareAgain }: GrantSheetProps<D>) {
  const naming = useNaming(grant.sendAgain)
  if (grant.open === null) return null
  return (
    <SigningSheet
      message={message(grant.open.subject)}
      flow={grant.open.flow}
      words={{ after: [after] }}
      signing={grant}
      intentRef={null}
      naming={naming}
      onPrepareAgain={() => {
        grant.close()
        onPrepareAgain()
      }}
    />
  )
}
