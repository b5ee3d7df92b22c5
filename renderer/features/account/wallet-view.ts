import { useEffect, useRef } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WatchedWallet } from '../../../shared/ipc/reads/account.ts'
import { minute } from '../../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'

/** Whose account is shown. */
export interface WalletView {
  /** As the contract takes it: null is the connected wallet. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}

/** What a tab was read, or why it was not. */
export interface TabRead<T> {
  readonly rows: readonly T[] | undefined
  /** What the rows lack. */
  readonly missing: Missing | undefined
  readonly failure: Failure | null
  readonly retry: () => void
}

/** The report of a span, read to its end as soon as it is looked at. */
export function useReport({ watch }: WalletView, by: 'day' | 'market' | 'key', fromMs: number | null) {
  const report = useIpcQuery('account.report', { watch, by, fromMs }, { keepPrevious: true })
  const read = useIpcCommand('account.readReport')
  const { mutate } = read
  // Another wallet or span is read anew, and now and then what came since.
  useEffect(() => {
    const look = () => mutate({ watch, by, fromMs })
    look()
    const timer = setInterval(look, minute)
    return () => clearInterval(timer)
  }, [mutate, watch, by, fromMs])
  // The lines of another span are shown until those of the new one come; days are never shown as markets, nor markets as keys.
  const told = useRef<typeof by | null>(null)
  if (report.data !== undefined && !report.isPlaceholderData) told.current = by
  return { report, data: told.current === by ? report.data : undefined, read }
}
