import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { AccountSummary, Position } from '../../shared/ipc/account.ts'
import { fail, ok } from '../../shared/result.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { ChainBalances } from '../chain/balances.ts'
import type { Chain } from '../chain/chain.ts'
import type { Handlers } from '../ipc/handlers.ts'
import { ofAnother } from './account.ts'
import type { AccountReader, Subject } from './account-reader.ts'
import { createCollateral } from './collateral.ts'

export interface AccountViewsDeps {
  readonly api: ApiClient
  readonly reader: AccountReader
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  /** Told of what was read, whoever asked for it. */
  readonly onRead: (subject: Subject, read: { readonly summary?: AccountSummary; readonly positions?: readonly Position[] }) => void
}

/** What one wallet has now: the connected one, or one that is only watched. */
export function createAccountViews({ api, reader, balances, chain, onRead }: AccountViewsDeps) {
  const collateral = createCollateral({ api, balances, chain })
  const nothing = { params: {}, query: {}, body: undefined } as const
  const twinOf = ({ wallet }: Subject) => ({ ...nothing, query: { wallet }, credential: null }) as const

  const handlers: Handlers<'account.state' | 'account.openPositions' | 'account.balances'> = {
    'account.state': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getAccount, { ...nothing, credential }),
        () => api.call(endpoints.getPublicAccount, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const { wallet } = subject.value
      const other = ofAnother(value.wallet, wallet)
      if (other !== null) return fail(other)
      const summary = { ...value, wallet, readAtMs }
      onRead(subject.value, { summary })
      return ok({ summary, source, readAtMs })
    },
    'account.openPositions': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getPositions, { ...nothing, credential }),
        () => api.call(endpoints.getPublicPositions, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      onRead(subject.value, { positions: value.positions })
      return ok({ positions: value.positions, source, readAtMs })
    },
    'account.balances': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getCollateral, { ...nothing, credential }),
        () => api.call(endpoints.getPublicCollateral, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const other = ofAnother(value.wallet, subject.value.wallet)
      if (other !== null) return fail(other)
      const found = await collateral(value, subject.value.wallet)
      return ok({ balances: found.balances, unknownFields: found.unknownFields, source, readAtMs })
    },
  }
  return { handlers }
}
