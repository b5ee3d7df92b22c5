import { getAddress, isAddress } from 'viem'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { acceptsRouter, decideRouter, type RouterDecision, sameAddress } from '../../../shared/signing/pins.ts'
import { inAMoment } from '../../service/transport/api-client.ts'
import type { RecordAccess } from '../../store/records/access.ts'
import type { KeyOf } from '../../store/records/record.ts'
import type { PublishedContract } from './published-contract.ts'

type PinRecords = Pick<RecordAccess<'{profile}', string>, 'read' | 'write'>

export interface ContractPinDeps {
  readonly what: 'router' | 'collateral token' | 'protocol token'
  /** Where the pin is kept. */
  readonly kept: PinRecords
  readonly key: KeyOf<'{profile}'>
  /** The contract as `/api/dex/config` and `/meta` publish it. */
  readonly published: (isExit: boolean) => Promise<PublishedContract>
  /** Whether a contract stands there on an RPC that is not the service's; null: it could not be asked. */
  readonly hasCode: (address: string) => Promise<boolean | null>
  /** The host of that RPC; its URL may hold a key. */
  readonly rpcHost: () => Promise<string>
}

/** One contract that a profile trusts, confirmed once by the user. */
export interface ContractPin {
  pinned(): string | null
  /**
   * What speaks for a candidate, and whether the user may confirm it. null where it is no address. `isExit`: what does not answer in a moment is not
   * waited for.
   */
  decide(candidate: string | null, isExit?: boolean): Promise<RouterDecision | null>
  /** Pins by the user's word. Fails with `signing_refused` or `confirmation_required`. */
  confirm(decision: RouterDecision, typed: string | null): Result<void, Failure>
}

export function createContractPin({ what, kept, key, published, hasCode, rpcHost }: ContractPinDeps): ContractPin {
  return {
    pinned: () => kept.read(key),
    decide: async (written, isExit = false) => {
      if (written === null || !isAddress(written, { strict: false })) return null
      const candidate = getAddress(written)
      const pinned = kept.read(key)
      // What was pinned is what is trusted: nothing needs to vouch for it again.
      if (sameAddress(pinned, candidate))
        return decideRouter(
          { candidate, pinned, publishedByConfig: null, publishedByMeta: null, unread: ['config', 'meta'], hasCode: null, rpcHost: null },
          what,
        )
      const [said, code, host] = await Promise.all([published(isExit), isExit ? inAMoment(hasCode(candidate), null) : hasCode(candidate), rpcHost()])
      const { config, meta, unread } = said
      return decideRouter({ candidate, pinned, publishedByConfig: config, publishedByMeta: meta, unread, hasCode: code, rpcHost: host }, what)
    },
    confirm: (decision, typed) => {
      if (acceptsRouter(decision, typed)) {
        if (decision.state !== 'pinned') kept.write(key, decision.candidate)
        return ok(undefined)
      }
      const [concern] = decision.concerns
      if (!decision.confirmable || decision.state === 'pinned')
        return fail({ kind: 'signing_refused', sentence: concern ?? `The contract ${decision.candidate} cannot be used.` })
      return fail({ kind: 'confirmation_required', what: 'router', expected: decision.state === 'new' ? 'yes' : decision.candidate })
    },
  }
}
