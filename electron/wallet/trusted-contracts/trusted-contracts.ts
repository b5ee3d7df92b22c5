import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { ok } from '../../../shared/result.ts'
import { acceptsRouter, decideRouter, sameAddress } from '../../../shared/signing/pins.ts'
import { inAMoment } from '../../service/transport/before-exit.ts'
import { readRecord } from '../../store/journal/kept-record.ts'
import type { ContractPin, ContractPinDeps } from './contract-pin.ts'

/** The contracts that a transaction may call or a permit may name: the router, and others that the service publishes and the user confirmed. */
export interface TrustedContracts extends Pick<ContractPin, 'decide' | 'confirm'> {
  /** Without the router. */
  others(): readonly string[]
}

interface Deps extends Pick<ContractPinDeps, 'values' | 'published' | 'hasCode' | 'rpcHost'> {
  /** Under which the list is kept. */
  readonly name: string
  readonly router: ContractPin
}

/**
 * The document says that `to` is a contract address and not that it is the router (Transaction entry shape). An intent's domain names the router alone;
 * that one is never decided here.
 */
export function createTrustedContracts({ name, router, values, published, hasCode, rpcHost }: Deps): TrustedContracts {
  /** What cannot be read is not trusted: the user is asked again. */
  const others = (): string[] => readRecord(z.array(z.string()), values.get(name)) ?? []
  return {
    others,
    decide: async (written, isExit = false) => {
      if (written === null || !isAddress(written, { strict: false })) return null
      const candidate = getAddress(written)
      if (others().some((address) => sameAddress(address, candidate)))
        return decideRouter({
          candidate,
          pinned: candidate,
          publishedByConfig: null,
          publishedByMeta: null,
          unread: ['config', 'meta'],
          hasCode: null,
          rpcHost: null,
        })
      const asRouter = await router.decide(candidate, isExit)
      if (asRouter === null || asRouter.state === 'pinned') return asRouter
      const said = await published(isExit)
      const isAmong = (list: readonly string[] | undefined): boolean => list?.some((address) => sameAddress(address, candidate)) === true
      const [byConfig, byMeta] = [isAmong(said.others?.config), isAmong(said.others?.meta)]
      if (!byConfig && !byMeta) return asRouter
      const [code, host] = await Promise.all([isExit ? inAMoment(hasCode(candidate), null) : hasCode(candidate), rpcHost()])
      const evidence = {
        publishedByConfig: byConfig ? candidate : null,
        publishedByMeta: byMeta ? candidate : null,
        unread: said.unread,
        hasCode: code,
        rpcHost: host,
      }
      const decision = decideRouter({ candidate, pinned: null, ...evidence })
      return decision === null ? null : { ...decision, isOther: true }
    },
    confirm: (decision, typed) => {
      if (decision.isOther !== true && !others().some((address) => sameAddress(address, decision.candidate))) return router.confirm(decision, typed)
      // Fails as the router's own pin does.
      if (!acceptsRouter(decision, typed)) return router.confirm(decision, null)
      if (decision.state !== 'pinned') values.set(name, JSON.stringify([...others(), decision.candidate]))
      return ok(undefined)
    },
  }
}
