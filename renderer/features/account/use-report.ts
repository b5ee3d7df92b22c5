import { useEffect, useRef } from 'react'
import { minute } from '../../../shared/time.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import type { WalletView } from './wallet-view.ts'

/** The report of a span, read to its end as soon as it is looked at. */
export function useReport({ watch }: WalletView, by: 'day' | 'market' | 'key', fromMs: number | null) {
  const report = useDeskQuery('account.report', { watch, by, fromMs }, { keepPrevious: true })
  const read = useDeskCommand('account.readReport')
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
