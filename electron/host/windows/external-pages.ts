import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'

export type ExternalPage = 'transaction' | 'address' | 'walletconnect_projects'

/** The only pages that ever open in the system's browser. Ids are checked, so nothing of a page's choosing gets into a URL. */
export function externalUrl(page: ExternalPage, id: string | null): Result<string, Failure> {
  switch (page) {
    case 'transaction':
      return id !== null && /^0x[0-9a-fA-F]{64}$/.test(id) ? ok(`https://basescan.org/tx/${id}`) : notAnId
    case 'address':
      return id !== null && /^0x[0-9a-fA-F]{40}$/.test(id) ? ok(`https://basescan.org/address/${id}`) : notAnId
    case 'walletconnect_projects':
      return id === null ? ok('https://dashboard.reown.com') : notAnId
  }
}

const notAnId = fail<Failure>({ kind: 'bad_input', field: 'id', issue: 'Not an id that this page takes.' })
