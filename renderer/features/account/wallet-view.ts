import { useEffect, useRef } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WatchedWallet } from '../../../shared/ipc/reads/account.ts'
import { minute } from '../../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'

/** Whose account is shown. */
export interface WalletView {
  /** The watched wallet's address. `null` means the connected wallet, as in the IPC contract. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}

/** A tab's data, or why it is missing. */
export interface TabRead<T> {
  readonly rows: readonly T[] | undefined
  /** What could not be read and is therefore missing from the rows. */
  readonly missing: Missing | undefined
  readonly failure: Failure | null
  readonly retry: () => void
}

/** Reads the report of results for a period, grouped by day, market or key. */
export function useReport({ watch }: WalletView, by: 'day' | 'market' | 'key', fromMs: number | null) {
  const report = useIpcQuery('account.report', { watch, by, fromMs }, { keepPrevious: true })
  const read = useIpcCommand('account.readReport')
  const { mutate } = read
  // A different wallet or period reads everything again. Otherwise the app checks for newer rows every minute.
  useEffect(() => {
    const look = () => mutate({ watch, by, fromMs })
    look()
    const timer = setInterval(look, minute)
    return () => clearInterval(timer)
  }, [mutate, watch, by, fromMs])
  // While another period loads, the previous period's lines stay visible. After a switch of grouping (day, market or key), none do.
  const readBy = useRef<typeof by | null>(null)
  if (report.data !== undefined && !report.isPlaceholderData) readBy.current = by
  return { report, data: readBy.current === by ? report.data : undefined, read }
}
