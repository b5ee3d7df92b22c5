import { useEffect } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WatchedWallet } from '../../../shared/ipc/reads/account.ts'
import type { AccountReport } from '../../../shared/ipc/reads/account-history.ts'
import { minute } from '../../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { accountText } from '../../text/en/account.en.tsx'

/** The wallet whose account the page shows. */
export interface WalletView {
  /** The watched wallet's address. `null` means the connected wallet, as in the IPC contract. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}

export interface TabRead<T> {
  readonly rows: readonly T[] | undefined
  /** The parts of the service's answer that the app could not read. They are missing in the rows. */
  readonly missing: Missing | undefined
  readonly failure: Failure | null
  readonly retry: () => void
}

/** Reads the report of results for a period, grouped by day, market or key. */
export function useReport({ watch }: WalletView, by: 'day' | 'market' | 'key', fromMs: number | null) {
  const report = useIpcQuery('account.report', { watch, by, fromMs })
  const read = useIpcCommand('account.readReport')
  const { mutate } = read
  // After a change of wallet, grouping or period, read the report at once. Then check for newer rows every minute.
  useEffect(() => {
    const look = () => mutate({ watch, by, fromMs })
    look()
    const timer = setInterval(look, minute)
    return () => clearInterval(timer)
  }, [mutate, watch, by, fromMs])
  return { report, read }
}

/** The word beside sums that may lack rows; `null` if the sums contain every row. */
export const partText = ({ complete, cut, unreadable }: Pick<AccountReport, 'complete' | 'cut' | 'unreadable'>, reading: boolean): string | null =>
  complete && !cut && !unreadable ? null : !complete && reading ? accountText.soFar : accountText.incomplete
