import type { Hex } from 'viem'
import { defaultScopes } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { KeyDraft } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { explainGrant, type GrantExpectation } from '../../../shared/signing/grant/grant.ts'
import { parseTypedData } from '../../../shared/signing/message/typed-data.ts'
import { type RouterDecision, sameAddress } from '../../../shared/signing/pins.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { GrantEnd } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'
import { agree, expectedRouter, holdAgainst } from '../../wallet/trusted-contracts/agreement.ts'
import type { Pins } from '../../wallet/trusted-contracts/pins.ts'

export interface CheckedGrant {
  readonly grant: KeyDraft['grant']
  readonly compared: Compared
  readonly router: RouterDecision | null
  /** Exactly what the wallet is handed, serialised anew from what was checked. */
  readonly typedData: string
  readonly digest: Hex
}

/** A grant as received, and what it is held against. */
export interface GrantSubject {
  readonly wallet: string
  /** As the service named it beside the grant. */
  readonly agent: string | null
  /** JSON text. */
  readonly typedData: string
  readonly request: { readonly expiresInDays: number }
  /** What the key was asked for with; left out: the default scopes of a bot-ready key. */
  readonly scopes?: readonly string[] | null
  /** Where the key exists already. */
  readonly existingKey?: GrantExpectation['existingKey']
}

export interface GrantCheck {
  /** Reads a grant and holds it against what was asked for (KEY-15). Fails with `signing_refused` where it cannot be read. */
  check(subject: GrantSubject): Promise<Result<CheckedGrant, Failure>>
  /** The user's word for a new router or layout. Fails with `signing_refused` or `confirmation_required`. */
  agree(checked: CheckedGrant, typedPhrase: string | null, typedRouter: string | null): Result<void, Failure>
}

const kind = 'agent_grant'

/** The agent that an answer names beside its grant: by its name, else the only address that is not the wallet's. null: none, or several. */
export function agentBeside({ agent, beside }: { readonly agent: string | null; readonly beside: readonly string[] }, wallet: string): string | null {
  const [only, ...more] = beside.filter((address) => !sameAddress(address, wallet))
  return agent ?? (more.length === 0 ? (only ?? null) : null)
}

export function createGrantCheck({ pins, clock }: { readonly pins: Pins; readonly clock: Clock }): GrantCheck {
  return {
    check: async (subject) => {
      const parsed = parseTypedData(subject.typedData)
      if (!parsed.ok) return fail(signingRefused({ code: 'typed_data', by: parsed.failure.problem }))
      const typedData = parsed.value
      const router = await pins.decide(typedData.domain.verifyingContract ?? null)
      const { comparison, pin, ...grant } = explainGrant(typedData, {
        wallet: subject.wallet,
        agent: subject.agent,
        router: expectedRouter(router, pins.router()),
        scopes: subject.scopes === undefined ? defaultScopes : subject.scopes,
        keyExpiresInDays: subject.request.expiresInDays,
        existingKey: subject.existingKey,
        pins: pins.layouts(kind),
        nowMs: clock.now(),
      })
      return ok({
        grant,
        compared: holdAgainst({ comparison, pin }, router),
        router,
        typedData: typedData.json,
        digest: typedData.digest,
      })
    },
    agree: (checked, phrase, typedRouter) => agree(pins, kind, checked, { phrase, router: typedRouter }),
  }
}

export interface GrantEnds {
  remember(end: GrantEnd): void
  of(keyId: string): GrantEnd | null
}

export const createGrantEnds = ({ profile, records }: { readonly profile: ProfileFacts; readonly records: Pick<Records, 'grantEnds'> }): GrantEnds => ({
  remember: (end) => records.grantEnds.write({ profile: profile.id, keyId: end.keyId }, end),
  of: (keyId) => records.grantEnds.read({ profile: profile.id, keyId }),
})
