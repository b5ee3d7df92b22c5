import type { Hex } from 'viem'
import { defaultScopes } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { KeyDraft } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { explainGrant, type GrantExpectation } from '../../../shared/signing/grant/grant.ts'
import { parseTypedData } from '../../../shared/signing/message/typed-data.ts'
import { type RouterDecision, sameAddress } from '../../../shared/signing/trust.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { GrantEnd } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'
import { agree, expectedRouter, holdAgainst } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'

export interface CheckedGrant {
  readonly grant: KeyDraft['grant']
  readonly compared: Compared
  readonly router: RouterDecision | null
  /** The exact text for the wallet to sign. It is serialised from the verified data, not copied from the response. */
  readonly typedData: string
  readonly digest: Hex
}

/** A grant as received from the service, together with the values that it must contain. */
export interface GrantSubject {
  readonly wallet: string
  /** The agent’s address from the part of the service’s response outside the grant. null if the app cannot tell which address is the agent’s. */
  readonly agent: string | null
  /** The typed data of the grant, as JSON text. */
  readonly typedData: string
  readonly request: { readonly expiresInDays: number }
  /** The scopes that the app requested for the key. If omitted, the key has the default scopes of a bot-ready key. */
  readonly scopes?: readonly string[] | null
  /** The values that the grant must contain about its key, if that key already exists. */
  readonly existingKey?: GrantExpectation['existingKey']
}

export interface GrantCheck {
  /** Reads a grant and compares it with the request (KEY-15). Fails with `signing_refused` if the grant cannot be read. */
  check(subject: GrantSubject): Promise<Result<CheckedGrant, Failure>>
  /** Records that the user accepts a new router or signing format. Fails with `signing_refused` or `confirmation_required`. */
  agree(checked: CheckedGrant, typedPhrase: string | null, typedRouter: string | null): Result<void, Failure>
}

const kind = 'agent_grant'

/**
 * Finds the agent’s address in the part of a response that is outside the grant. Uses the field that names the agent. If that field is missing,
 * uses the only address that is not the wallet’s. Returns null if no address can be the agent’s, or if several can.
 */
export function agentBeside({ agent, beside }: { readonly agent: string | null; readonly beside: readonly string[] }, wallet: string): string | null {
  const [only, ...more] = beside.filter((address) => !sameAddress(address, wallet))
  return agent ?? (more.length === 0 ? (only ?? null) : null)
}

export function createGrantCheck({ trust, clock }: { readonly trust: Trust; readonly clock: Clock }): GrantCheck {
  return {
    check: async (subject) => {
      const parsed = parseTypedData(subject.typedData)
      if (!parsed.ok) return fail(signingRefused({ code: 'typed_data', by: parsed.failure.problem }))
      const typedData = parsed.value
      const router = await trust.decide(typedData.domain.verifyingContract ?? null)
      const { comparison, pin, ...grant } = explainGrant(typedData, {
        wallet: subject.wallet,
        agent: subject.agent,
        router: expectedRouter(router, trust.router()),
        scopes: subject.scopes === undefined ? defaultScopes : subject.scopes,
        keyExpiresInDays: subject.request.expiresInDays,
        existingKey: subject.existingKey,
        formats: trust.formats(kind),
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
    agree: (checked, phrase, typedRouter) => agree(trust, kind, checked, { phrase, router: typedRouter }),
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
